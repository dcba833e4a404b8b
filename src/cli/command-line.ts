/** Shared by the server's commands. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { parseAsn } from "#domain/asn.ts";
import { ConfigError } from "#system/config/config-error.ts";
import type { Environment } from "#server/config/environment.ts";
import { type Database, openDatabase } from "#server/db/open.ts";

/** The arguments ask for the usage, which is the message. */
export class HelpRequest extends Error {
  override readonly name = "HelpRequest";
}

/**
 * Parses the arguments of a command. Throws `HelpRequest` for `--help`, and `ConfigError` with the usage if they are
 * invalid.
 */
export function parseArguments<const C extends Omit<ParseArgsConfig, "args">>(
  args: readonly string[],
  config: C,
  usage: string,
): ReturnType<typeof parseArgs<C>> {
  if (args.includes("--help") || args.includes("-h")) throw new HelpRequest(usage);
  try {
    return parseArgs<C>({ ...config, args: joinNegativeNumbers(args) });
  } catch (error) {
    throw invalidArguments((error as Error).message, usage, error);
  }
}

/** A value that begins with a negative number is a value, not an option: "--at", "-33.87,151.21". */
function joinNegativeNumbers(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const next = args[index + 1] ?? "";
    if (/^--[a-z-]+$/.test(arg) && /^-\d/.test(next)) return [`${arg}=${next}`];
    return /^-\d/.test(arg) && /^--[a-z-]+$/.test(args[index - 1] ?? "") ? [] : [arg];
  });
}

/** @param problem a sentence without its full stop */
export function invalidArguments(problem: string, usage: string, cause?: unknown): ConfigError {
  return new ConfigError(`${problem}. Nothing was changed.\n\n${usage}`, { cause });
}

const maxReasonLength = 300;

/** Checks a reason that participants read; null without one. */
export function readReason(text: string | undefined, usage: string): string | null {
  const reason = text?.trim() ?? "";
  if (reason === "") return null;
  if (/\p{C}/u.test(reason)) throw invalidArguments("--reason: use one line of text", usage);
  if (reason.length > maxReasonLength)
    throw invalidArguments(`--reason: use at most ${maxReasonLength} characters`, usage);
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/**
 * Parses the AS number of an option, such as "AS4242420001".
 *
 * @throws {ConfigError} with the usage if it is none
 */
export function readAsnOption(name: string, typed: string, usage: string): string {
  const asn = parseAsn(typed);
  if (asn === null) throw invalidArguments(`--${name}: ${typed} is not an AS number`, usage);
  return asn;
}

/** Names the database that a command uses, without its password. */
export function describeDatabase({
  dataDir,
  databaseUrl,
}: Pick<Environment, "dataDir" | "databaseUrl">): string {
  if (databaseUrl === null) return `SQLite in ${dataDir}`;
  const { host } = new URL(databaseUrl);
  // A Unix socket is in the parameters.
  return host === "" ? "PostgreSQL" : `PostgreSQL on ${host}`;
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
