import { describeDatabase, invalidArguments, openCommandDatabase, parseArguments } from "./command-line.ts";
import type { Environment } from "../config/environment.ts";
import type { Database } from "../db/open.ts";
import { listFlaggedAccounts, releaseAccount } from "../features/accounts/account-holders.ts";
import { findRunning } from "../features/accounts/deletion/deletion-store.ts";
import { endByOperator } from "../features/accounts/login-sessions/end-by-operator.ts";
import { findDesiredOfAs } from "../features/peerings/desired-peerings.ts";

const usage = `npm run accounts -- [--release 4242420001 | --end-login-sessions 4242420001]
  Lists the accounts whose AS has another holder in the registry than when the account was verified, and those that are
  being deleted, with the nodes that still have a peering.
  --release             accepts the new holder, so that links are mailed again
  --end-login-sessions  ends all login sessions of an AS, or of every AS: all`;

type Print = (text: string) => void;

/**
 * Runs the command `accounts` and returns its exit code: 1 if there is no such flagged account, or no login session. It
 * can run while the server runs. Throws `ConfigError` if the arguments are invalid.
 */
export async function runAccountsCommand(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const { release, ended } = readOptions(args);
  await using database = await openCommandDatabase(environment, print);
  print(`Database: ${describeDatabase(environment)}`);
  if (release !== undefined) return await releaseFlagged(database, release, print);
  if (ended !== undefined) return await endLoginSessions(database, ended, print);
  await listFlagged(database, print);
  await listDeletions(database, print);
  return 0;
}

async function listFlagged({ db }: Database, print: Print): Promise<void> {
  const flagged = await listFlaggedAccounts(db);
  if (flagged.length === 0) print("No account is flagged.");
  for (const { asn, flaggedAt, verifiedHolder, flaggedHolder } of flagged) {
    print(`AS${asn}: since ${toDay(flaggedAt)}, maintainers ${verifiedHolder} → ${flaggedHolder}`);
  }
}

async function listDeletions({ db }: Database, print: Print): Promise<void> {
  for (const { asn, started_at: startedAt } of await findRunning(db)) {
    const nodes = (await findDesiredOfAs(db, asn)).map(({ node }) => node).toSorted();
    const left = nodes.length === 0 ? "no peering is left" : `peerings left on ${nodes.join(", ")}`;
    print(`AS${asn}: is being deleted since ${toDay(startedAt)}, ${left}`);
  }
}

/** Milliseconds since 1970 → "2026-11-23". */
function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

async function releaseFlagged({ db }: Database, asn: string, print: Print): Promise<number> {
  const isReleased = await releaseAccount(db, asn, Date.now());
  print(
    isReleased
      ? `AS${asn} is released. Links for it are mailed again.`
      : `AS${asn} has no flagged account. Nothing was changed.`,
  );
  return isReleased ? 0 : 1;
}

async function endLoginSessions({ db, events }: Database, asn: string, print: Print): Promise<number> {
  const ended = await endByOperator({ db, events, clock: () => Date.now() }, asn === "all" ? null : asn);
  for (const one of ended)
    print(`AS${one.asn}: ${one.count} login ${one.count === 1 ? "session" : "sessions"} ended.`);
  print(
    ended.length > 0
      ? "Running servers accept them for at most a minute."
      : "There is no such login session. Nothing was changed.",
  );
  return ended.length > 0 ? 0 : 1;
}

function readOptions(args: readonly string[]) {
  const { values } = parseArguments(
    args,
    { options: { release: { type: "string" }, "end-login-sessions": { type: "string" } } },
    usage,
  );
  const { release, "end-login-sessions": ended } = values;
  if (release !== undefined && ended !== undefined)
    throw invalidArguments("Give one option at a time", usage);
  return { release: readAsn(release), ended: readAsn(ended) };
}

function readAsn(text: string | undefined): string | undefined {
  return text?.replace(/^AS/i, "");
}
