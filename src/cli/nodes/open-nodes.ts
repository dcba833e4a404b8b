/** What the commands of `peerdeck nodes` share: their arguments, the database, and how they print results. */
import type { ParseArgsOptionsConfig } from "node:util";
import { ConfigError } from "#system/config/config-error.ts";
import type { Environment } from "#server/config/environment.ts";
import type { Profile } from "#server/config/profile.ts";
import { readProfile } from "#server/config/profile-file.ts";
import { assertInstallationKind } from "#server/db/installation-kind.ts";
import type { Database } from "#server/db/open.ts";
import type { UnknownNodeError } from "#server/nodes/change-node.ts";
import { type TakeOverDeps, takeOverNodes } from "#server/nodes/take-over-nodes.ts";
import { invalidArguments, openCommandDatabase, parseArguments } from "../command-line.ts";

export type Print = (text: string) => void;

export interface NodesContext extends Pick<Database, "db" | "events"> {
  readonly profile: Profile;
  readonly clock: () => number;
  /** Prints a line, unless the result is JSON. */
  readonly say: Print;
  /** Prints the result of the command, if it is JSON. */
  readonly report: (result: unknown) => void;
}

const silent = { info: () => undefined, warn: () => undefined };

/** Lets an empty database take over the nodes that a server would take over. Throws `ConfigError` as that does. */
export async function takeOverForCommand(
  deps: Pick<TakeOverDeps, "db" | "profile" | "dataDir">,
): Promise<void> {
  await takeOverNodes({ ...deps, clock: Date.now, log: silent, needsAgents: true });
}

/**
 * Runs a command with the database and the provider profile. An empty database first takes over the nodes of the profile.
 * Throws `ConfigError` if a setting is invalid, or the provider has no such node.
 */
export async function withNodes(
  environment: Environment,
  { isJson, print }: { readonly isJson: boolean; readonly print: Print },
  run: (context: NodesContext) => Promise<number>,
): Promise<number> {
  const { configPath, dataDir } = environment;
  if (configPath === null) throw new ConfigError("PEERDECK_CONFIG does not name a provider profile.");
  const profile = await readProfile(configPath);
  await assertInstallationKind(environment, "provider");
  const say: Print = isJson ? () => undefined : print;
  await using database = await openCommandDatabase(environment, say);
  const { db, events } = database;
  await takeOverForCommand({ db, profile, dataDir });
  const report = (result: unknown) => {
    if (isJson) print(JSON.stringify(result, null, 2));
  };
  return await run({ db, events, profile, clock: Date.now, say, report });
}

/** The sentence of `UnknownNodeError`, for the operator. */
export function describeUnknownNode(name: string, { names }: UnknownNodeError): ConfigError {
  const known =
    names.length === 0
      ? "No node has joined yet. To add one: peerdeck nodes add --help"
      : `The nodes are ${names.join(", ")}. Those that have not joined: peerdeck nodes list`;
  return new ConfigError(`There is no node ${name}. Nothing was changed. ${known}`);
}

/** Parses the arguments of a command that concerns one node, and their option `--json`. */
export function parseNodeArguments<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: O,
  usage: string,
) {
  const { values, positionals } = parseArguments(
    args,
    { options: { ...options, json: { type: "boolean" } }, allowPositionals: true, allowNegative: false },
    usage,
  );
  const [name, ...others] = positionals;
  if (name === undefined) throw invalidArguments("The NAME of a node is missing", usage);
  return { values, name, others };
}

/** "2026-11-23T10:20:30.000Z" → "2026-11-23 10:20 UTC" */
export function toMinute(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
