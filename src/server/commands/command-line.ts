/** Shared by the server's commands. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { ConfigError } from "#system/config/config-error.ts";
import type { Environment } from "../config/environment.ts";
import { type Database, openDatabase } from "../db/open.ts";

/** Parses the arguments of a command. Throws `ConfigError` with the usage if they are invalid. */
export function parseArguments<const C extends Omit<ParseArgsConfig, "args">>(
  args: readonly string[],
  config: C,
  usage: string,
): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs<C>({ ...config, args: [...args] });
  } catch (error) {
    throw invalidArguments((error as Error).message, usage, error);
  }
}

/** @param problem a sentence without its full stop */
export function invalidArguments(problem: string, usage: string, cause?: unknown): ConfigError {
  return new ConfigError(`${problem}. Nothing was changed.\n\n${usage}`, { cause });
}

/** Names the database that a command uses, without its password. */
export function describeDatabase({
  dataDir,
  databaseUrl,
}: Pick<Environment, "dataDir" | "databaseUrl">): string {
  return databaseUrl === null ? `SQLite in ${dataDir}` : `PostgreSQL on ${new URL(databaseUrl).host}`;
}

/** Opens the database that a command uses. `print` receives a sentence if it is migrated first. */
export function openCommandDatabase(
  { dataDir, databaseUrl: url, migratesWithoutBackup }: Environment,
  print: (text: string) => void,
): Promise<Database> {
  return openDatabase({
    dataDir,
    url,
    onError: () => undefined,
    onMigration: print,
    migratesWithoutBackup,
  });
}
