import { setTimeout as pause } from "node:timers/promises";
import { nodeHost } from "#contract/node-host.ts";
import { countOf } from "#domain/text/plural.ts";
import type { Environment } from "#server/config/environment.ts";
import { findRunning } from "#server/features/accounts/deletion/deletion-store.ts";
import { announceNotice, writeForgottenNodeNotice } from "#server/features/accounts/notices/notice-store.ts";
import { type DesiredPeering, findDesiredOnNode } from "#server/features/peerings/desired-peerings.ts";
import { describePeering } from "#server/features/peerings/recovery/describe-plan.ts";
import { findRemovedNodes } from "#server/features/peerings/removed-nodes/find-removed-nodes.ts";
import {
  endRemoval,
  listPendingRemovals,
  readRemovalEnd,
} from "#server/features/peerings/removed-nodes/pending-removals.ts";
import { NodeDeployingError, removeNode } from "#server/features/peerings/removed-nodes/remove-node.ts";
import { changeNode, UnknownNodeError } from "#server/nodes/change-node.ts";
import { readNodes } from "#server/nodes/node-rows.ts";
import { ConfigError } from "#system/config/config-error.ts";
import { invalidArguments, readReason } from "../command-line.ts";
import { InterruptedError, openTerminal } from "#system/terminal.ts";
import {
  describeUnknownNode,
  type NodesContext,
  parseNodeArguments,
  type Print,
  withNodes,
} from "./open-nodes.ts";

const usage = `peerdeck nodes remove NAME [--reason TEXT] [--keep] [--yes] [--json]
  Removes a node and its peerings from the database, and notifies their participants by mail, push and Activity. The server
  then takes the peerings down on the node, as soon as it responds.
  --reason  the participants read it in Activity
  --keep    the node runs on as it is; with a node that was removed and does not respond, ends the waiting
  --yes     does not ask`;

/** How long the command waits for the running server. */
const waitMs = 30_000;
const pollMs = 200;

interface Removal {
  readonly name: string;
  readonly reason: string | null;
  readonly keep: boolean;
  readonly isConfirmed: boolean;
}

/**
 * Runs `nodes remove` and returns its exit code: 1 if something is left to do. Throws `ConfigError` if the arguments are invalid,
 * or the provider has no such node.
 *
 * @param open opens the terminal; tests pass another one
 */
export async function runRemoveNode(
  args: readonly string[],
  environment: Environment,
  print: Print,
  open = openTerminal,
): Promise<number> {
  const flag = { type: "boolean" } as const;
  const options = { reason: { type: "string" }, keep: flag, yes: flag } as const;
  const { values, name, others } = parseNodeArguments(args, options, usage);
  if (others.length > 0) throw invalidArguments("Give one NAME", usage);
  const { keep = false, yes: isConfirmed = false, json: isJson = false } = values;
  if (isJson && !isConfirmed) throw invalidArguments("--json needs --yes", usage);
  const removal = { name, reason: readReason(values.reason, usage), keep, isConfirmed };
  return withNodes(environment, { isJson, print }, (context) => remove(context, removal, open));
}

async function remove(context: NodesContext, removal: Removal, open: typeof openTerminal): Promise<number> {
  const { db, clock, profile, say } = context;
  const { name, keep, reason } = removal;
  const nodes = await readNodes(db);
  const isNode = nodes.some((node) => node.name === name);
  const left = (await findRemovedNodes(db)).find(({ node }) => node === name);
  if (!isNode && !left)
    return goOn(
      context,
      removal,
      nodes.map((node) => node.name),
    );
  const host = nodeHost(name, profile.domain);
  const peerings = await findDesiredOnNode(db, name);
  say([host, ...peerings.map(({ peering }) => `  remove  ${describePeering(peering)}`)].join("\n"));
  if (left && left.conflicts > 0) say(`  forget  the conflicts of ${countOf(left.conflicts, "peering")}`);
  if (reason !== null) say(`  reason  ${reason}`);
  await confirm(removal, host, open);
  // A crash after it leaves a node without new peerings, and the command can be repeated.
  if (isNode) await changeNode(context, name, (node) => ({ ...node, state: "draining" }));
  const deps = { db, clock, writeNotice: writeForgottenNodeNotice };
  try {
    await removeNode(deps, { node: name, reason, keep });
  } catch (error) {
    if (!(error instanceof NodeDeployingError)) throw error;
    throw new ConfigError(describeDeploying(error, host));
  }
  await announce(context, peerings);
  const asns = peerings.map(({ asn }) => asn);
  say(`\nRemoved from the database.${asns.length === 0 ? "" : " The participants are notified."}`);
  const keeps = keep || !isNode;
  if (keeps) say(describeKept(host, asns));
  return finish(context, { name, removed: asns, since: clock(), keeps });
}

/** Continues a removal that waits for its node, or ends it. */
async function goOn(
  context: NodesContext,
  { name, keep }: Removal,
  names: readonly string[],
): Promise<number> {
  const { db, profile, say } = context;
  const pending = (await listPendingRemovals(db)).filter(({ node }) => node === name);
  const [first] = pending;
  if (!first) throw describeUnknownNode(name, new UnknownNodeError(names));
  const asns = first.peerings.map(({ asn }) => asn);
  say(`${name} was removed before, and ${countOf(asns.length, "peering")} may still run on it.`);
  if (keep) {
    for (const { id } of pending) await endRemoval(db, id);
    say(describeKept(nodeHost(name, profile.domain), asns));
  }
  return finish(context, { name, removed: [], since: first.removedAt, keeps: keep });
}

/** Throws `ConfigError` unless the operator has confirmed the removal. */
async function confirm(
  { name, isConfirmed }: Removal,
  host: string,
  open: typeof openTerminal,
): Promise<void> {
  if (isConfirmed) return;
  using terminal = open();
  if (!terminal)
    throw new ConfigError("There is no terminal to ask on. Nothing was changed. To go on, add --yes.");
  const typed = await terminal
    .read(`\nTo remove ${host}, type its name, ${name}: `)
    .catch((error: unknown) => {
      if (error instanceof InterruptedError) return "";
      throw error;
    });
  if (typed.trim() !== name) throw new ConfigError(`${host} was not removed. Nothing was changed.`);
}

async function announce({ db, events }: NodesContext, [first]: readonly DesiredPeering[]): Promise<void> {
  if (first) await announceNotice(events, first.asn);
  // Their last peerings may have been on this node.
  for (const { asn } of await findRunning(db)) await events.publish("accountDeletion", { asn });
}

interface Finish {
  readonly name: string;
  /** The AS numbers of the peerings that were removed from the database now. */
  readonly removed: readonly string[];
  /** Since when the server may have taken peerings down. */
  readonly since: number;
  readonly keeps: boolean;
}

/** Waits for the server to take the peerings down, and prints the result. */
async function finish(
  { db, say, report }: NodesContext,
  { name, removed, since, keeps }: Finish,
): Promise<number> {
  const isPending = async () => (await listPendingRemovals(db)).some(({ node }) => node === name);
  if (await isPending())
    say(`The running server takes the peerings down. Waiting for it, at most ${waitMs / 1_000} s…`);
  for (let waitedMs = 0; waitedMs < waitMs && (await isPending()); waitedMs += pollMs) await pause(pollMs);
  const isLeft = await isPending();
  const end = keeps || isLeft ? null : await readRemovalEnd(db, name, since);
  report({ node: name, removed, onNode: keeps ? "kept" : isLeft ? "pending" : "removed", detail: end });
  if (isLeft)
    say(
      "The peerings still run on the node: the server takes them down as soon as it runs and the node responds. " +
        "To see whether that is left to do: peerdeck nodes list",
    );
  else if (end !== null) say(`The peerings are taken down on the node. ${end}`);
  return isLeft ? 1 : 0;
}

function describeDeploying({ asns }: NodeDeployingError, host: string): string {
  const names = asns.map((asn) => `AS${asn}`).join(", ");
  return (
    `A deployment of ${names} has not finished. ${host} accepts no new peerings now, and nothing else was changed. While ` +
    "the server runs, a deployment ends within two minutes. Then run the command again."
  );
}

function describeKept(host: string, asns: readonly string[]): string {
  const peerings =
    asns.length === 0 ? "" : ` with the peerings of ${asns.map((asn) => `AS${asn}`).join(", ")}`;
  return (
    `${host} runs on as it is${peerings}. To remove its agent and all peerings there, purge the package on the node: ` +
    "sudo apt purge peerdeck-agent"
  );
}
