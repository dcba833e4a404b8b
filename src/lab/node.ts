/** A provider's node: tunnels to other nodes, BIRD and the agent, set up as on a separate machine. */
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { linkInterface, linkPort, type NodePlan, neighboursOf, findNodePlan } from "./network.ts";
import { registryFolder, renderAgentConfig, renderBirdConfig, renderRoas } from "./config-files.ts";
import { type LabHost, runCommands } from "./hosts/namespaces.ts";
import { startProgram } from "./hosts/program.ts";
import { createInterface, makeKeys, type WireguardKeys } from "./hosts/wireguard.ts";

/** A node's host with the keys of its tunnels to the other nodes. */
export interface NodeHost {
  readonly plan: NodePlan;
  readonly host: LabHost;
  readonly keys: WireguardKeys;
}

export async function prepareNode(plan: NodePlan, host: LabHost): Promise<NodeHost> {
  return { plan, host, keys: await makeKeys(host) };
}

export interface AgentSettings {
  readonly serverFingerprint: string;
  /** The path of the agent's program from the project's root. */
  readonly agentProgram: string;
}

/** @param all the other nodes, to which it has tunnels; may include this one */
export async function startNode(
  { plan, host, keys }: NodeHost,
  all: readonly NodeHost[],
  { serverFingerprint, agentProgram }: AgentSettings,
): Promise<void> {
  // The agent keeps them there. The first sessions between nodes need them before it starts.
  await runCommands(host, [
    `ip address add ${plan.ipv4}/32 dev lo`,
    `ip address add ${plan.ipv6}/128 dev lo`,
  ]);
  for (const name of neighboursOf(plan.name)) {
    const other = all.find((one) => one.plan.name === name);
    if (other) await createLink(host, keys, plan, other);
  }
  await startBird(host, plan);
  const stateDir = join(host.folder, "state");
  const config = join(host.folder, "agent.toml");
  await writeFile(config, renderAgentConfig(plan, { stateDir, serverFingerprint }));
  await startProgram(host, agentProgram, {
    environment: { PEERDECK_AGENT_CONFIG: config },
    log: "agent.log",
    ready: "agent listening",
  });
}

/** Creates the other ends of a new node's tunnels. */
export async function connectNode(added: NodeHost, others: readonly NodeHost[]): Promise<void> {
  const neighbours = neighboursOf(added.plan.name);
  for (const { plan, host, keys } of others)
    if (neighbours.includes(plan.name)) await createLink(host, keys, plan, added);
}

async function createLink(
  host: LabHost,
  keys: WireguardKeys,
  plan: NodePlan,
  other: NodeHost,
): Promise<void> {
  const name = linkInterface(other.plan.name);
  const port = linkPort(plan.name, other.plan.name);
  await createInterface(host, name, [
    "[Interface]",
    `PrivateKey = ${keys.privateKey}`,
    `ListenPort = ${port}`,
    "[Peer]",
    `PublicKey = ${other.keys.publicKey}`,
    `Endpoint = ${other.plan.publicIp}:${port}`,
    "AllowedIPs = 0.0.0.0/0, ::/0",
    "PersistentKeepalive = 25",
  ]);
  await runCommands(host, [
    `ip link set ${name} up`,
    `ip address add ${plan.ipv4} peer ${other.plan.ipv4}/32 dev ${name}`,
    `ip address add fe80::${plan.ipv6.split("::")[1]}/64 dev ${name} nodad`,
  ]);
}

async function startBird(host: LabHost, plan: NodePlan): Promise<void> {
  const etc = join(host.folder, "bird");
  for (const folder of ["roa", "peerdeck/a", "peerdeck/b"])
    await mkdir(join(etc, folder), { recursive: true });
  for (const link of ["current", "confirmed"]) await symlink("a", join(etc, "peerdeck", link));
  const policy = join(import.meta.dirname, "../../docs/bird/peerdeck-policy.conf");
  await copyFile(policy, join(etc, "peerdeck-policy.conf"));
  await writeFile(join(etc, "bird.conf"), await renderBirdConfig(findNodePlan(plan.name)));
  await writeFile(join(etc, "roa/roa4.conf"), await renderRoas(registryFolder, "route"));
  await writeFile(join(etc, "roa/roa6.conf"), await renderRoas(registryFolder, "route6"));
  await runCommands(host, [`mount --bind ${etc} /etc/bird`, "mkdir -p /run/bird", "bird"]);
}
