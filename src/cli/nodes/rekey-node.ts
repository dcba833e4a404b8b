import { setTimeout as pause } from "node:timers/promises";
import { countOf } from "#domain/text/plural.ts";
import { formatTime } from "#domain/text/time.ts";
import { ConfigError } from "#system/config/config-error.ts";
import type { Environment } from "#server/config/environment.ts";
import { assertInstallationKind } from "#server/db/installation-kind.ts";
import type { Database } from "#server/db/open.ts";
import { announceNotice, writeNodeKeyNotice } from "#server/features/accounts/notices/notice-store.ts";
import {
  cancelRekey,
  findRekey,
  listByKey,
  type RekeyRow,
  startRekey,
} from "#server/features/peerings/node-keys/rekey-rows.ts";
import { findNode } from "#server/nodes/node-rows.ts";
import { invalidArguments, openCommandDatabase, parseArguments } from "../command-line.ts";

const usage = `peerdeck nodes rekey de01 [--on 2026-12-15 | --in 14d] [--json]
peerdeck nodes rekey de01 --cancel [--json]
  Gives a node another WireGuard key. The participants are notified. Each tunnel keeps the present key until its participant
  switches it, or until the date.
  --on      the date, from 00:00 UTC
  --in      the time until then: days, hours or minutes, as in 14d, 12h or 30m; default 14d
  --cancel  keeps the present key, if no tunnel has the new one yet
  --json    prints the state as JSON`;

type Print = (text: string) => void;

const minuteMs = 60_000;
const unitsMs: Readonly<Record<string, number>> = { d: 24 * 60 * minuteMs, h: 60 * minuteMs, m: minuteMs };
const defaultNotice = "14d";
const maxNoticeMs = 366 * 24 * 60 * minuteMs;
const pollMs = 250;

/**
 * Runs the command `nodes rekey` and returns its exit code: 1 if the node has a new key already, or, with `--cancel`, if it has
 * none or tunnels use it. Throws `ConfigError` if the arguments are invalid.
 *
 * @param args after the word `rekey`
 * @param waitMs how long it waits for the node's key, which the running server gets
 */
export async function runRekeyNode(
  args: readonly string[],
  environment: Environment,
  print: Print,
  waitMs = 30_000,
): Promise<number> {
  const [text, flag] = [{ type: "string" } as const, { type: "boolean" } as const];
  const options = { on: text, in: text, cancel: flag, json: flag };
  const { values, positionals } = parseArguments(args, { options, allowPositionals: true }, usage);
  const [node, ...others] = positionals;
  if (node === undefined || others.length > 0)
    throw invalidArguments("the name of one node is needed", usage);
  const { on, in: after, cancel = false, json = false } = values;
  if (cancel && (on ?? after) !== undefined)
    throw invalidArguments("--cancel: use it without --on and --in", usage);
  const now = Date.now();
  const switchAt = readDate(on, after, now);
  await assertInstallationKind(environment, "provider");
  await using database = await openCommandDatabase(environment, print);
  if ((await findNode(database.db, node)) === null)
    throw new ConfigError(
      `${node} is no node of this provider. Nothing was changed. See: peerdeck nodes list`,
    );
  const command = { database, node, now, print, json };
  // Awaited here: the database is closed at the end.
  return await (cancel ? cancelNodeRekey(command) : startNodeRekey({ ...command, switchAt, waitMs }));
}

/** @throws {ConfigError} if it is not in the future, or more than a year away */
function readDate(on: string | undefined, after: string | undefined, now: number): number {
  if (on !== undefined && after !== undefined) throw invalidArguments("use --on or --in, not both", usage);
  const option = on === undefined ? "--in" : "--on";
  const at = on === undefined ? now + readDuration(after ?? defaultNotice) : readDay(on);
  if (at <= now) throw invalidArguments(`${option}: the date must be in the future`, usage);
  if (at > now + maxNoticeMs) throw invalidArguments(`${option}: the date must be within a year`, usage);
  return at;
}

function readDay(typed: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? Date.parse(typed) : Number.NaN;
  // A 30 February is 2 March for `Date.parse`.
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(typed))
    throw invalidArguments(`--on: ${typed} is not a date such as 2026-12-15`, usage);
  return at;
}

function readDuration(typed: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([dhm])$/.exec(typed) ?? [];
  const unitMs = unitsMs[unit];
  if (unitMs === undefined)
    throw invalidArguments(`--in: ${typed} is not a time such as 14d, 12h or 30m`, usage);
  return Number(count) * unitMs;
}

interface RekeyCommand {
  readonly database: Database;
  readonly node: string;
  readonly now: number;
  readonly print: Print;
  readonly json: boolean;
}

async function startNodeRekey(
  command: RekeyCommand & { readonly switchAt: number; readonly waitMs: number },
): Promise<number> {
  const { database, node, now, switchAt, print, json, waitMs } = command;
  const isNew = await startRekey(database.db, { node, now, switchAt });
  if (isNew && !json) print("Waiting for the node's new key…");
  const until = performance.now() + (isNew ? waitMs : 0);
  let rekey = await findRekey(database.db, node);
  while (rekey?.new_key === null && performance.now() < until) {
    await pause(pollMs);
    rekey = await findRekey(database.db, node);
  }
  await printState(command, rekey, isNew);
  return isNew ? 0 : 1;
}

async function printState(
  { database, node, print, json }: RekeyCommand,
  rekey: RekeyRow | null,
  isNew: boolean,
): Promise<void> {
  const { switched, waiting } = await listByKey(database.db, node, rekey?.new_key ?? null);
  if (json) {
    const state = {
      node,
      new_key: rekey?.new_key ?? null,
      switch_at: rekey && new Date(rekey.switch_at).toISOString(),
      switched,
      waiting,
    };
    return print(JSON.stringify(state, null, 2));
  }
  if (rekey === null) return print(`${node} has no new key any more: it was cancelled meanwhile.`);
  const date = formatTime(rekey.switch_at);
  if (!isNew) print(`Nothing was changed: ${node} gets a new key already. To cancel it, add --cancel.`);
  if (rekey.new_key === null)
    return print(
      `${node} has not given its new key yet: the server does not run, or cannot reach it. The server continues by itself, and ` +
        `notifies the participants then. Peerings that have not been switched get the key on ${date}.`,
    );
  print(`New key:   ${rekey.new_key}`);
  print(`Switched:  ${countOf(switched.length, "peering")}`);
  print(
    `Waiting:   ${countOf(waiting.length, "peering")}${waiting.length > 0 ? `: ${listAsns(waiting)}` : ""}`,
  );
  print(
    `Their participants are notified, and switch when they have the key. The rest is switched on ${date}. New peerings get the new key.`,
  );
}

async function cancelNodeRekey({ database, node, now, print, json }: RekeyCommand): Promise<number> {
  const { db, events } = database;
  const cancellation = await cancelRekey(db, { node, now, writeNotice: writeNodeKeyNotice });
  const { outcome } = cancellation;
  const notified = outcome === "cancelled" ? cancellation.notified : [];
  const switched = outcome === "switched" ? cancellation.asns : [];
  if (notified[0] !== undefined) await announceNotice(events, notified[0]);
  if (json) print(JSON.stringify({ node, outcome, notified, switched }, null, 2));
  else if (outcome === "none") print(`Nothing was changed: ${node} gets no new key.`);
  else if (outcome === "switched")
    print(`Nothing was changed: these peerings have the new key already: ${listAsns(switched)}.`);
  else
    print(
      `Cancelled. ${node} keeps its key${notified.length > 0 ? `, and ${countOf(notified.length, "participant")} will be notified` : ""}. The running server removes the new key from the node.`,
    );
  return outcome === "cancelled" ? 0 : 1;
}

function listAsns(asns: readonly string[]): string {
  return asns.map((asn) => `AS${asn}`).join(", ");
}
