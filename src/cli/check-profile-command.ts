import { checkProfile } from "#server/config/check-profile.ts";
import type { Environment } from "#server/config/environment.ts";
import { invalidArguments, parseArguments } from "./command-line.ts";

const usage = `peerdeck check-profile [FILE]
  Checks a provider profile, by default that of PEERDECK_CONFIG: prints each problem with its line. Changes nothing.`;

/** Runs the command `check-profile` and returns its exit code: 1 if a server would not start with the profile. */
export async function runCheckProfileCommand(
  args: readonly string[],
  { configPath }: Environment,
  print: (text: string) => void,
): Promise<number> {
  const { positionals } = parseArguments(args, { allowPositionals: true }, usage);
  const [file = configPath] = positionals;
  if (file === null || positionals.length > 1) throw invalidArguments("One FILE is needed", usage);
  const problems = await checkProfile(file);
  for (const problem of problems) print(problem);
  if (problems.length > 0) return 1;
  print(`${file} is valid.`);
  return 0;
}
