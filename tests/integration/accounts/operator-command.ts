/** The operator's commands, on the database of a running server. */
import { type Environment, readEnvironment } from "#server/config/environment.ts";
import type { TestDatabase } from "../../support/databases.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

type Command = (
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
) => Promise<number>;

/** Runs a command in this process. Returns its exit code and what it printed. */
export async function runOperatorCommand(command: Command, at: TestDatabase, ...args: readonly string[]) {
  const variables =
    at.kind === "sqlite" ? { DATA_DIR: at.dataDir } : { DATABASE_URL: at.url, DATA_DIR: scratchFolder() };
  const lines: string[] = [];
  const code = await command(
    args,
    readEnvironment(variables),
    (text) => void lines.push(...text.split("\n")),
  );
  return { code, lines };
}
