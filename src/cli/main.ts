/** The program `peerdeck`: the provider's server, the demo, and the operator's commands. */
import { type Environment, readEnvironment } from "#server/config/environment.ts";
import { describeOperatorError } from "#server/start-error.ts";
import { tolerateLostOutput } from "#system/lost-output.ts";
import { findProgram } from "./programs.ts";
import { runCommand } from "./run-command.ts";

const print = (text: string) => void process.stdout.write(`${text}\n`);

tolerateLostOutput();
let settings: Environment | null = null;
try {
  const [name = "help", ...args] = process.argv.slice(2);
  const environment = readEnvironment(process.env);
  settings = environment;
  const program = findProgram(name, args, environment);
  if (program) await program(environment);
  else process.exitCode = await runCommand(name, args, environment, print);
} catch (error) {
  const sentence = describeOperatorError(error, settings);
  if (sentence === null) throw error;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
