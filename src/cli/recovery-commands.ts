/**
 * The commands for an operator whose database was lost. They use the server's settings and can run beside the server,
 * because the database serializes the changes of both.
 */
import { toPrintableLine } from "#system/printable-text.ts";
import type { CodedFacts } from "#contract/agent/findings.ts";
import { nodeHost } from "#contract/node-host.ts";
import { describeToOperator, readAgentFinding } from "#domain/findings/findings.ts";
import { type AgentClient, createAgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import {
  describeDatabase,
  invalidArguments,
  openCommandDatabase,
  parseArguments,
  readAsnOption,
  readReason,
} from "./command-line.ts";
import { ConfigError } from "#system/config/config-error.ts";
import type { Environment } from "#server/config/environment.ts";
import type { Profile } from "#server/config/profile.ts";
import { readProfile } from "#server/config/profile-file.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import { describePlan, describePeering } from "#server/features/peerings/recovery/describe-plan.ts";
import { assertInstallationKind } from "#server/db/installation-kind.ts";
import {
  applyRecoveryPlan,
  PlanOutdatedError,
  readRecoveryPlan,
  readStored,
  type RecoveryDeps,
} from "#server/features/peerings/recovery/recover-node.ts";
import type { DeletionDeps } from "#server/features/peerings/submit.ts";
import { removeFromNode } from "#server/features/peerings/recovery/remove-from-node.ts";
import { describeMissingNodes, readMissingNodes } from "./nodes/missing-nodes.ts";
import { takeOverForCommand } from "./nodes/open-nodes.ts";
import { removalWaitMs, removeStoredPeering } from "./remove-peering.ts";
import { createNodeTransports } from "#server/agents/node-transports.ts";
import { fixedNodes } from "#server/nodes/nodes.ts";
import { addMissingNodes } from "#server/nodes/missing-nodes.ts";
import { readNodes } from "#server/nodes/node-rows.ts";
import type { ProviderNode } from "#server/nodes/provider-node.ts";
import { openServerIdentity, openTransportAs } from "#server/provider-server.ts";

const usages = {
  recover: `peerdeck recover [--apply] [--node de01]… [--nodes FILE]
  Compares the peerings of the nodes with the database and shows what the database would take over.
  --apply  writes it to the database; nothing on any node changes
  --node   only this node; can be repeated
  --nodes  first adds the nodes of a nodes.json, of the data folder or of a backup, that the database does not have`,
  "remove-peering": `peerdeck remove-peering --node de01 --as 4242420001 [--reason TEXT] [--apply]
  Removes a peering from its node and from the database, also one that only the node has. The server must be running.
  --apply   without it, the peering is only shown
  --reason  the participant reads it in Activity

  To see all peerings: peerdeck peerings --help`,
} as const;

interface Command extends RecoveryDeps {
  readonly profile: Profile;
  readonly apply: boolean;
  readonly reason: string | null;
  readonly deletion: DeletionDeps;
  readonly print: (text: string) => void;
}

const noNodes =
  "The database has no nodes, so there is nothing to recover from. Take them over from the nodes.json of the lost data folder " +
  "or of a backup with --nodes FILE, or add each node again: peerdeck nodes add --help";

export type RecoveryCommand = keyof typeof usages;

/**
 * Runs a command and returns its exit code: 1 if a node could not be reached or something else is left to do. Throws
 * `ConfigError` if the arguments or the settings are invalid.
 */
export async function runRecoveryCommand(
  name: RecoveryCommand,
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const usage = usages[name];
  const options = readOptions(args, usage);
  const { configPath, dataDir } = environment;
  if (configPath === null) throw new ConfigError("PEERDECK_CONFIG does not name a provider profile.");
  const profile = await readProfile(configPath);
  await assertInstallationKind(environment, "provider");
  await using parts = new AsyncDisposableStack();
  const identity = await openServerIdentity(dataDir);
  const { db, events } = parts.use(await openCommandDatabase(environment, print));
  await takeOverForCommand({ db, profile, dataDir });
  const clock = Date.now;
  const fromFile = await readMissingNodes(db, options.nodesFile);
  const all = [...(await readNodes(db)), ...fromFile.missing];
  const nodes = options.node.map((wanted) => {
    const found = all.find((node) => node.name === wanted);
    if (!found) throw new ConfigError(`--node: there is no node ${wanted}. See peerdeck nodes --help`);
    return found;
  });
  const transports = parts.use(createNodeTransports(fixedNodes(all), openTransportAs(identity)));
  const agents = createAgentClient(transports);
  print(`Database: ${describeDatabase(environment)}, identity ${await readDatabaseIdentity(db)}`);
  print(`Server fingerprint, which the agents must have: ${identity.fingerprint}\n`);
  for (const line of describeMissingNodes(fromFile)) print(line);
  if (options.apply) await addMissingNodes({ db, clock }, fromFile.missing);
  const deletion = { db, events, profile, clock, retentionClock: clock, waitMs: removalWaitMs };
  const { apply, reason } = options;
  const command: Command = { db, agents, clock, profile, apply, reason, deletion, print };
  if (name === "recover") {
    if (all.length === 0) {
      print(noNodes);
      return 1;
    }
    const exitCode = await recover(command, nodes.length > 0 ? nodes : all);
    return fromFile.conflicts.length > 0 ? 1 : exitCode;
  }
  const [node] = nodes;
  if (!node || nodes.length > 1 || options.as === null) {
    throw new ConfigError(`remove-peering needs one --node and --as.\n\n${usage}`);
  }
  return await removePeering(command, node, options.as);
}

function readOptions(args: readonly string[], usage: string) {
  const { values } = parseArguments(
    args,
    {
      options: {
        apply: { type: "boolean" },
        node: { type: "string", multiple: true },
        as: { type: "string" },
        reason: { type: "string" },
        nodes: { type: "string" },
      },
    },
    usage,
  );
  const { apply = false, node = [], nodes: nodesFile = null } = values;
  if (nodesFile !== null && usage !== usages.recover)
    throw invalidArguments("--nodes is an option of recover", usage);
  const as = values.as === undefined ? null : readAsnOption("as", values.as, usage);
  return { apply, node, nodesFile, as, reason: readReason(values.reason, usage) };
}

async function recover(command: Command, nodes: readonly ProviderNode[]): Promise<number> {
  const { apply, print } = command;
  let exitCode = 0;
  for (const node of nodes) {
    const isDone = await withNodeErrors(command, node, async () => {
      const plan = await readRecoveryPlan(command, node);
      print(describePlan(plan, nodeHost(node.name, command.profile.domain)));
      if (!apply || plan.obstacles.length > 0) return plan.obstacles.length === 0;
      await applyRecoveryPlan(command, plan);
      print(plan.resolved.length === 0 ? "  Nothing had to be done." : "  Written to the database.");
      return true;
    });
    if (!isDone) exitCode = 1;
  }
  print(apply ? "\nNothing was changed on any node." : dryRun("write this to the database"));
  return exitCode;
}

async function removePeering(command: Command, node: ProviderNode, asn: string): Promise<number> {
  const { apply, print } = command;
  const host = nodeHost(node.name, command.profile.domain);
  const isStoredDone = await removeStoredPeering(command.deletion, { ...command, asn, node: node.name });
  if (isStoredDone !== null) {
    if (!apply) print(dryRun("remove the peering"));
    return isStoredDone ? 0 : 1;
  }
  const isDone = await withNodeErrors(command, node, async () => {
    const plan = await readRecoveryPlan(command, node);
    const stored = (await readStored(command, node.name)).find((one) => one.asn === asn);
    if (!stored?.peering) {
      print(`${host} has no peering with AS${asn}.`);
      return false;
    }
    if (!plan.add.some((peering) => peering.asn === asn)) {
      print(`The database has the peering of AS${asn} on ${host}, so this command does not remove it.`);
      return false;
    }
    print(`${host}\n  remove  ${describePeering(stored.peering)}`);
    if (!apply) return true;
    const { outcome, reason } = await removeFromNode(command, node.name, stored);
    print(outcome === "applied" ? "  Removed from the node." : `  Not removed. ${describeRefusal(reason)}`);
    return outcome === "applied";
  });
  if (isDone && !apply) print(dryRun("remove the peering from the node"));
  return isDone ? 0 : 1;
}

function describeRefusal(reason: CodedFacts | null): string {
  return reason === null ? "" : describeToOperator(readAgentFinding(reason));
}

function dryRun(purpose: string): string {
  return `\nNothing was changed. To ${purpose}, run the command again with --apply.`;
}

/** Prints the errors that concern one node. Returns false then, so that the other nodes are still processed. */
async function withNodeErrors(
  { profile, print }: Pick<Command, "profile" | "print"> & { readonly agents: AgentClient },
  node: ProviderNode,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const host = nodeHost(node.name, profile.domain);
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlanOutdatedError) print(`  ${error.message}`);
    else if (error instanceof NodeUnreachableError) print(`${host}\n  ${describeUnreachable(error, host)}`);
    else throw error;
    return false;
  }
}

function describeUnreachable(error: NodeUnreachableError, host: string): string {
  const { message = "" } = error.cause instanceof Error ? error.cause : {};
  const problem = describeToOperator(error.finding(host));
  // Of the agent, if it responds with an error.
  const cause = error.isUpgrading || message === "" ? "" : ` (${toPrintableLine(message)})`;
  return `${problem}${cause} Nothing was recovered from it. Run the command again when it can be reached.`;
}
