/** What monitoring learns from `/healthz`, in sentences, and from `/metrics`, in numbers. */
import { Counter, Gauge, Registry as MetricsRegistry } from "prom-client";
import { nodeHost } from "#contract/node-host.ts";
import type { AppContext } from "../../context.ts";
import { type ClockJump, jumpPauseMs, restartToleranceMs } from "../../db/clock-jumps.ts";
import { describeToOperator } from "#domain/findings/findings.ts";
import { countOf } from "#domain/text/plural.ts";
import { type ConflictsByNode, summarizeConflicts } from "../peerings/conflicts/peering-conflicts.ts";
import { findOverdue, type PendingRemoval } from "../peerings/removed-nodes/pending-removals.ts";
import { type RemovedNode, toFinding } from "../peerings/removed-nodes/find-removed-nodes.ts";
import type { DesiredPeering } from "../peerings/desired-peerings.ts";
import type { MailFault } from "../../mail/outbox.ts";
import type { RegistryClone } from "../../registry/clone/registry-clone.ts";
import type { RegistryAge } from "../../registry/registry.ts";

export interface HealthDeps {
  readonly profile: Pick<AppContext["profile"], "domain">;
  readonly nodes: Pick<AppContext["nodes"], "find" | "list">;
  readonly registry: Pick<AppContext["registry"], "readAge">;
  readonly registryClone: Pick<RegistryClone, "readState"> | null;
  readonly clock: () => number;
  readonly clockJumps: Pick<AppContext["clockJumps"], "readRecent">;
  readonly agents: Pick<AppContext["agents"], "readFailures" | "ignored">;
  readonly mailOutbox: Pick<AppContext["mailOutbox"], "readFault">;
  readonly joinAttempts: Pick<AppContext["joinAttempts"], "read">;
  /** `listStorageIssues`. */
  readonly readStorageIssues: () => Promise<readonly string[]>;
  /** Null if the database does not respond. */
  readonly readConflicts: () => Promise<ConflictsByNode | null>;
  /** `findWithoutAccount`; null if the database does not respond. */
  readonly readWithoutAccount: () => Promise<ReadonlyArray<Pick<DesiredPeering, "asn" | "node">> | null>;
  /** `findRemovedNodes`; null if the database does not respond. */
  readonly readRemovedNodes: () => Promise<readonly RemovedNode[] | null>;
  /** `listPendingRemovals`; null if the database does not respond. */
  readonly readPendingRemovals: () => Promise<readonly PendingRemoval[] | null>;
  /** The issues of the nodes that respond now, by node name. */
  readonly readNodeIssues: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** `readAgentVersions`; null if the database does not respond. */
  readonly readAgentVersions: () => Promise<ReadonlyMap<string, string> | null>;
}

/** Days after which the operator should look, long before links are refused. */
const issueDays = 1;

/** Returns what the operator should know about the registry's age; null if it is current. */
function describeRegistryIssue({ days, stale }: RegistryAge): string | null {
  if (days === null) return stale ? "The registry is missing. No links are mailed." : null;
  if (days <= issueDays) return null;
  const hours = Math.floor(days * 24);
  const consequence = stale ? " It is outdated, so no links are mailed." : "";
  return `The registry was last fetched ${hours} hours ago.${consequence}`;
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];

function describeMailIssue(fault: MailFault | null): string | null {
  return (
    fault &&
    `The mail server has accepted no mail since ${new Date(fault.since).toISOString()}. The log says why.`
  );
}

function describeClockIssue(jump: ClockJump | null): string | null {
  if (jump === null) return null;
  const ms = Math.abs(jump.ms);
  const [unit, size] =
    ms >= 2 * dayMs ? ["days", dayMs] : ms >= 2 * hourMs ? ["hours", hourMs] : ["minutes", 60_000];
  const length = `${Math.floor(ms / size)} ${unit}`;
  // A server that was stopped for a shorter time reports no jump.
  const pause = jump.ms > restartToleranceMs ? "no server ran" : "the host was suspended";
  const event = jump.ms > 0 ? `went ${length} forward, or ${pause} for that long` : `went back ${length}`;
  return (
    `The clock of the server's host ${event}. ` +
    `Nothing is deleted for its age until ${new Date(jump.at + jumpPauseMs).toISOString()}.`
  );
}

/** How many peerings are named. */
const maxNamed = 5;

function describeWithoutAccount(
  peerings: ReadonlyArray<Pick<DesiredPeering, "asn" | "node">>,
): string | null {
  if (peerings.length === 0) return null;
  const subject = countOf(peerings.length, "peering has", "peerings have");
  const names = peerings.slice(0, maxNamed).map(({ asn, node }) => `AS${asn} on ${node}`);
  const more = peerings.length > maxNamed ? ", …" : "";
  return `${subject} no account: ${names.join(", ")}${more}.`;
}

/**
 * Renders the health of the server as text: `ok`, or `issues` and one line for each. The server works with an old registry,
 * with conflicts and with a wrong clock, so the status of the response is 200 in both cases.
 *
 * @param isOperator whether the issues are listed: they name files, interfaces and participants
 */
export async function renderHealth(
  {
    profile,
    nodes,
    registry,
    registryClone,
    clock,
    clockJumps,
    agents,
    mailOutbox,
    readStorageIssues,
    readConflicts,
    readWithoutAccount,
    readRemovedNodes,
    readPendingRemovals,
    readNodeIssues,
  }: HealthDeps,
  isOperator: boolean,
): Promise<string> {
  const isRejected = registryClone !== null && (await registryClone.readState()).isRejected;
  const [conflicts, withoutAccount, removedNodes, removals, nodeIssues] = await Promise.all([
    readConflicts(),
    readWithoutAccount(),
    readRemovedNodes(),
    readPendingRemovals(),
    readNodeIssues(),
  ]);
  const isNode = (node: string) => nodes.find(node) !== null;
  const issues = [
    describeRegistryIssue(await registry.readAge()),
    isRejected ? "The registry's fetched history was not accepted. The log says why." : null,
    describeMailIssue(mailOutbox.readFault()),
    describeClockIssue(clockJumps.readRecent()),
    conflicts === null ? "The database does not respond." : null,
    ...(await readStorageIssues()),
    ...Array.from(agents.readFailures(), ([node, finding]) =>
      // A call may have failed before the node was removed.
      isNode(node) ? describeToOperator(finding(nodeHost(node, profile.domain))) : null,
    ),
    ...Array.from(agents.ignored.read(), ([node, items]) => {
      if (!isNode(node)) return null;
      const facts = { host: nodeHost(node, profile.domain), items };
      return describeToOperator({ code: "agent-values-ignored", facts });
    }),
    ...Array.from(nodeIssues, ([node, ofNode]) => {
      const host = nodeHost(node, profile.domain);
      return ofNode.map((issue) => `${host}: ${issue}`);
    }).flat(),
    ...Array.from(conflicts ?? [], ([node, ofNode]) => {
      // Those of a removed node are in its own line: they cannot be recovered.
      if (!isNode(node)) return null;
      const finding = summarizeConflicts(ofNode, nodeHost(node, profile.domain));
      return finding && describeToOperator(finding);
    }),
    ...(removedNodes ?? []).map((removed) => describeToOperator(toFinding(removed))),
    ...(removals ?? []).map((removal) => {
      const overdue = findOverdue(removal, clock());
      return overdue && describeToOperator(overdue);
    }),
    describeWithoutAccount(withoutAccount ?? []),
  ].filter((issue) => issue !== null);
  const status = issues.length === 0 ? "ok" : "issues";
  return `${[status, ...(isOperator ? issues : [])].join("\n")}\n`;
}

/** Renders the server's metrics in the Prometheus text format. */
export async function renderMetrics({
  nodes,
  registry,
  clockJumps,
  agents,
  joinAttempts,
  readConflicts,
  readWithoutAccount,
  readRemovedNodes,
  readAgentVersions,
}: HealthDeps): Promise<string> {
  const metrics = new MetricsRegistry();
  const registers = [metrics];
  const { days, stale } = await registry.readAge();
  new Gauge({
    name: "peerdeck_registry_stale",
    help: "1 if the registry is missing or too old, so that no links are mailed.",
    registers,
  }).set(Number(stale));
  if (days !== null) {
    new Gauge({
      name: "peerdeck_registry_age_seconds",
      help: "Time since the last fetch of the registry that succeeded.",
      registers,
    }).set(Math.round(days * 86_400));
  }
  const conflicts = await readConflicts();
  const gauge = new Gauge({
    name: "peerdeck_peering_conflicts",
    help: "Peerings that a node has in another version than the database, until an operator decides.",
    labelNames: ["node"],
    registers,
  });
  for (const { name } of conflicts === null ? [] : nodes.list())
    gauge.set({ node: name }, conflicts?.get(name)?.length ?? 0);
  const withoutAccount = await readWithoutAccount();
  if (withoutAccount !== null) {
    new Gauge({
      name: "peerdeck_peerings_without_account",
      help: "Peerings whose AS has no account.",
      registers,
    }).set(withoutAccount.length);
  }
  const onRemovedNode = new Gauge({
    name: "peerdeck_removed_node_peerings",
    help: "Peerings on a node that the provider does not have any more, until an operator decides.",
    labelNames: ["node"],
    registers,
  });
  for (const { node, peerings } of (await readRemovedNodes()) ?? []) onRemovedNode.set({ node }, peerings);
  const reachable = new Gauge({
    name: "peerdeck_node_reachable",
    help: "0 if the agent of a node could not be reached last.",
    labelNames: ["node"],
    registers,
  });
  const failures = agents.readFailures();
  for (const { name } of nodes.list()) reachable.set({ node: name }, Number(!failures.has(name)));
  const info = new Gauge({
    name: "peerdeck_agent_info",
    help: "1 for each node, with the version that its agent had when it was last reached.",
    labelNames: ["node", "version"],
    registers,
  });
  const versions = await readAgentVersions();
  for (const { name: node } of nodes.list()) {
    const version = versions?.get(node);
    if (version !== undefined) info.set({ node, version }, 1);
  }
  const joins = new Counter({
    name: "peerdeck_join_attempts_total",
    help: "Requests of agents that join, by their result, since this server started.",
    labelNames: ["result"],
    registers,
  });
  for (const [result, count] of joinAttempts.read()) joins.inc({ result }, count);
  new Gauge({
    name: "peerdeck_clock_jump_seconds",
    help: "How far the system's clock last jumped forward; negative if back, 0 if it did not in the last 24 hours.",
    registers,
  }).set(Math.round((clockJumps.readRecent()?.ms ?? 0) / 1000));
  return metrics.metrics();
}
