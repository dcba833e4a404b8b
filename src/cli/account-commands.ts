import { toPrintableLine } from "#system/printable-text.ts";
import {
  describeDatabase,
  invalidArguments,
  openCommandDatabase,
  parseArguments,
  readAsnOption,
  readReason,
} from "./command-line.ts";
import type { Environment } from "#server/config/environment.ts";
import type { Database } from "#server/db/open.ts";
import { blockAccount, listBlocks, unblockAccount } from "#server/features/accounts/blocks.ts";
import { listFlaggedAccounts, releaseAccount } from "#server/features/accounts/account-holders.ts";
import { findRunning } from "#server/features/accounts/deletion/deletion-store.ts";
import { endByOperator } from "#server/features/accounts/login-sessions/end-by-operator.ts";
import { removePasskeysByOperator } from "#server/features/accounts/passkeys/passkey-rows.ts";
import { findDesiredOfAs } from "#server/features/peerings/desired-peerings.ts";
import { countOf, plural } from "#domain/text/plural.ts";

const usage = `peerdeck accounts [one of the options]
  Lists the accounts that need the operator: blocked ones, flagged ones (the registry names another holder of the AS than
  when the account was verified), and those that are being deleted, with the nodes that still have a peering.
  --block 4242420001 --reason TEXT  ends the login sessions and API tokens of an AS, and refuses logins, deployments, and mailed links
                                    for registration and passwords. The participant reads the reason at the next login.
                                    Its peerings keep running: see peerdeck remove-peering --help
  --unblock 4242420001              ends the block
  --release 4242420001              accepts the new holder of a flagged account, so that links are mailed again, and removes
                                    its passkeys and API tokens
  --remove-passkeys 4242420001      removes all passkeys of an AS. If its password is turned off, the participant resets it
  --end-login-sessions 4242420001   ends all login sessions and API tokens of an AS; with "all", those of every AS

  To see all peerings: peerdeck peerings --help`;

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
  const { release, ended, blocked, reason, unblocked, removed } = readOptions(args);
  await using database = await openCommandDatabase(environment, print);
  print(`Database: ${describeDatabase(environment)}`);
  if (release !== undefined) return await releaseFlagged(database, release, print);
  if (removed !== undefined) return await removePasskeys(database, removed, print);
  if (ended !== undefined) return await endLoginSessions(database, ended, print);
  if (blocked !== undefined) return await block(database, blocked, reason, print);
  if (unblocked !== undefined) return await unblock(database, unblocked, print);
  const lines = [
    ...(await describeBlocks(database)),
    ...(await describeFlagged(database)),
    ...(await describeDeletions(database)),
  ];
  print(lines.length === 0 ? "No account is blocked, flagged or being deleted." : lines.join("\n"));
  return 0;
}

async function describeBlocks({ db }: Database): Promise<readonly string[]> {
  return (await listBlocks(db)).map(
    ({ asn, blocked_at: blockedAt, reason }) =>
      `AS${asn} has been blocked since ${toDay(blockedAt)}. Reason: ${toPrintableLine(reason)}`,
  );
}

async function block({ db, events }: Database, asn: string, reason: string, print: Print): Promise<number> {
  await blockAccount({ db, events, clock: Date.now }, asn, reason);
  const nodes = (await findDesiredOfAs(db, asn)).map(({ node }) => node).toSorted();
  print(`AS${asn} is blocked. Its login sessions and API tokens end within seconds.`);
  print(nodes.length === 0 ? "It has no peering." : `Its peerings keep running on ${nodes.join(", ")}.`);
  return 0;
}

async function unblock({ db }: Database, asn: string, print: Print): Promise<number> {
  const isUnblocked = await unblockAccount({ db, clock: Date.now }, asn);
  print(isUnblocked ? `AS${asn} is not blocked any more.` : `AS${asn} was not blocked. Nothing was changed.`);
  return isUnblocked ? 0 : 1;
}

async function describeFlagged({ db }: Database): Promise<readonly string[]> {
  return (await listFlaggedAccounts(db)).map(({ asn, flaggedAt, verifiedHolder, flaggedHolder }) => {
    const maintainers = toPrintableLine(`${verifiedHolder} → ${flaggedHolder}`);
    return `AS${asn} has been flagged since ${toDay(flaggedAt)}. Maintainers: ${maintainers}`;
  });
}

async function describeDeletions({ db }: Database): Promise<readonly string[]> {
  return Promise.all(
    (await findRunning(db)).map(async ({ asn, started_at: startedAt }) => {
      const nodes = (await findDesiredOfAs(db, asn)).map(({ node }) => node).toSorted();
      const left = nodes.length === 0 ? "No peering is left." : `Peerings are left on ${nodes.join(", ")}.`;
      return `AS${asn} has been in deletion since ${toDay(startedAt)}. ${left}`;
    }),
  );
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
  for (const { asn: one, count, apiTokens } of ended) {
    const tokens = apiTokens === 0 ? "" : ` and ${apiTokens} API ${plural(apiTokens, "token")}`;
    print(`AS${one}: ${count} login ${plural(count, "session")}${tokens} ended.`);
  }
  print(
    ended.length > 0
      ? "Running servers refuse them within seconds."
      : "There is no such login session or API token. Nothing was changed.",
  );
  return ended.length > 0 ? 0 : 1;
}

async function removePasskeys({ db }: Database, asn: string, print: Print): Promise<number> {
  const count = await removePasskeysByOperator(db, asn, Date.now());
  print(
    count > 0
      ? `AS${asn}: ${countOf(count, "passkey")} removed. Its login sessions go on: see --end-login-sessions.`
      : `AS${asn} has no passkey. Nothing was changed.`,
  );
  return count > 0 ? 0 : 1;
}

function readOptions(args: readonly string[]) {
  const { values } = parseArguments(
    args,
    {
      options: {
        block: { type: "string" },
        reason: { type: "string" },
        unblock: { type: "string" },
        release: { type: "string" },
        "end-login-sessions": { type: "string" },
        "remove-passkeys": { type: "string" },
      },
    },
    usage,
  );
  const { block: blocked, unblock: unblocked, release, "end-login-sessions": ended } = values;
  const removed = values["remove-passkeys"];
  if ([blocked, unblocked, release, ended, removed].filter((value) => value !== undefined).length > 1)
    throw invalidArguments("Give one option at a time", usage);
  const reason = readReason(values.reason, usage);
  if ((blocked === undefined) !== (reason === null))
    throw invalidArguments("Give --block and --reason together", usage);
  const readAsn = (name: string, typed: string | undefined) =>
    typed === undefined ? undefined : readAsnOption(name, typed, usage);
  return {
    blocked: readAsn("block", blocked),
    reason: reason ?? "",
    unblocked: readAsn("unblock", unblocked),
    release: readAsn("release", release),
    removed: readAsn("remove-passkeys", removed),
    ended: ended === "all" ? ended : readAsn("end-login-sessions", ended),
  };
}
