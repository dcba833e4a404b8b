/**
 * A node with an agent, four participants, and another node over an own tunnel, on which faults are planted one at a time.
 *
 * Participants 1 and 3 have one session over link-local addresses, 2 and 4 one session per address family. 3 runs FRR, the
 * others BIRD. Each has a network address; that of 2 is on a host behind its router, and the node probes it. Sessions of 4 have
 * a short hold time.
 */
import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { dualStackOf, peeringOf } from "#agent/fixtures/peerings.ts";
import { setRepairs } from "#agent/setup/pause-commands.ts";
import type { NodeLink, ObservedPeering, Peering } from "#contract/agent.ts";
import { interfaceName, sessionsOf } from "#domain/peering/bgp-sessions.ts";
import { type Internet, type LabHost, openInternet, runCommands } from "#lab/hosts/namespaces.ts";
import { createInterface, makeKeys, type WireguardKeys } from "#lab/hosts/wireguard.ts";
import { startParticipant } from "#lab/participant.ts";
import { type LabAgent, startAgent } from "#tests/lab/lab-agent.ts";
import { providerAsn, routerOptions, startNodeBird } from "#tests/lab/lab-node.ts";
import { bringUpTunnel, joinNode, nodeAddress, tunnel } from "#tests/lab/lab-participant.ts";
import { connectionState, type ConnectionState } from "#tests/lab/router-state.ts";
import type { Sample } from "./judge.ts";
import {
  asnOf,
  networkAddresses,
  nodeAddresses,
  numbers,
  otherAddresses,
  otherNode,
  ownTunnel,
  type ParticipantNumber,
  prefixes,
} from "./plan.ts";
import { readTraffic, type Traffic } from "./traffic.ts";

export interface ScenePart {
  readonly number: ParticipantNumber;
  readonly peering: Peering;
  /** The participant's router. */
  readonly router: LabHost;
  /** The host with the network's addresses: the router, or one behind it. */
  readonly network: LabHost;
}

export interface Scene extends AsyncDisposable {
  readonly agent: LabAgent;
  readonly node: LabHost;
  readonly other: LabHost;
  /** The keys of the node's end of the own tunnel and of the other one. */
  readonly ownKeys: { readonly node: WireguardKeys; readonly other: WireguardKeys };
  readonly participants: Readonly<Record<ParticipantNumber, ScenePart>>;
  /** Runs shell commands on the node. */
  readonly inNode: (...commands: readonly string[]) => Promise<string>;
  readonly inOther: (...commands: readonly string[]) => Promise<string>;
  readonly inRouter: (number: ParticipantNumber, ...commands: readonly string[]) => Promise<string>;
  readonly sample: () => Promise<Sample>;
  /** Which pairs of networks exchange packets now. */
  readonly traffic: () => Promise<Traffic>;
  /** Waits so long on the agent's clock, but at least `realSeconds`. */
  readonly wait: (seconds: number, realSeconds?: number) => Promise<void>;
  /** Seconds on the agent's clock. */
  readonly seconds: () => number;
  readonly repairs: (command: "pause" | "resume") => Promise<string>;
  /** Lets the node announce these routes to all participants, without a restart of any session. */
  readonly setRoutes: (routes: readonly string[]) => Promise<unknown>;
  /** Reads what a tunnel and its sessions lose when they are disrupted. */
  readonly connections: (number: ParticipantNumber) => Promise<readonly ConnectionState[]>;
}

const roas = numbers.flatMap((number) => {
  const [ipv4, ipv6] = prefixes(number);
  return [`${ipv4} max 29 as ${asnOf(number)}`, `${ipv6} max 64 as ${asnOf(number)}`];
});

function drawPeering(number: ParticipantNumber, publicKey: string): Peering {
  if (number === 1 || number === 3) return peeringOf(number, { publicKey });
  const dualStack = dualStackOf(number, { publicKey, localIpv4: nodeAddresses.IPv4 });
  return number === 2 ? { ...dualStack, probeAddress: networkAddresses(2).IPv4 } : dualStack;
}

/** @param clockFactor how many times as fast the agent's clock runs */
export async function openScene(clockFactor = 1): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const internet = stack.use(await openInternet());
  const node = await internet.host("syd01", `${nodeAddress}/24`);
  const other = await internet.host("per01", `${otherNode}/24`);
  await startNodeBird(node, roas);
  const setRoutes = await preparePlantedRoutes(node);
  const ownKeys = await linkNodes(node, other);
  const tunnels = { per01: { interface: ownTunnel.node, address: "fe80::2" } };
  const agent = stack.use(await startAgent(node, { interfaces: [ownTunnel.node] }, { tunnels, clockFactor }));
  await agent.post("/v1/other-nodes", {
    nodes: ["per01"],
    changed: [
      { node: "per01", version: "1", addresses: Object.values(otherAddresses), services: [], tunnels: [] },
    ],
    strictSource: false,
    provider: { version: "0", endpoints: [], servers: [] },
  });
  const { publicKey: nodeKey } = await agent.facts();
  const [one, two, three, four] = await Promise.all(
    numbers.map((number) => openParticipant(internet, agent, number, nodeKey)),
  );
  if (!one || !two || !three || !four) throw new Error("a participant is missing");
  const participants = { 1: one, 2: two, 3: three, 4: four };
  const opened = stack.move();
  return {
    agent,
    node,
    other,
    ownKeys,
    participants,
    inNode: (...commands) => runCommands(node, commands),
    inOther: (...commands) => runCommands(other, commands),
    inRouter: (number, ...commands) => runCommands(participants[number].router, commands),
    sample: async () => {
      const [health, peerings, links] = await Promise.all([
        agent.health(),
        agent.get<readonly ObservedPeering[]>("/v1/observe"),
        agent.get<readonly NodeLink[]>("/v1/links"),
      ]);
      return { health, peerings, links };
    },
    traffic: () => readTraffic(other, Object.values(participants)),
    wait: (seconds, realSeconds = 0) => pause(1000 * Math.max(realSeconds, seconds / clockFactor)),
    seconds: () => (performance.now() / 1000) * clockFactor,
    repairs: (command) => setRepairs(command, { state_dir: routerOptions(node).stateDir, router: "linux" }),
    setRoutes,
    connections: (number) => {
      const { peering } = participants[number];
      const name = interfaceName(peering.asn);
      return Promise.all(sessionsOf(peering).map((session) => connectionState(node, name, session.name)));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function preparePlantedRoutes(node: LabHost): Promise<Scene["setRoutes"]> {
  const at = (name: string) => path.join(node.folder, name);
  const setRoutes = async (routes: readonly string[]) => {
    const lines = routes.map((route) => `  route ${route} reject;\n`);
    await writeFile(at("planted.conf"), `protocol static planted {\n  ipv4;\n${lines.join("")}}\n`);
    await node.run("birdc", "-s", at("bird.ctl"), "configure");
  };
  await appendFile(at("bird.conf"), `\ninclude "${at("planted.conf")}";\n`);
  await setRoutes([]);
  return setRoutes;
}

const ownTunnelConfig = (own: WireguardKeys, far: WireguardKeys, endpoint: string) => [
  "[Interface]",
  `PrivateKey = ${own.privateKey}`,
  `ListenPort = ${ownTunnel.port}`,
  "[Peer]",
  `PublicKey = ${far.publicKey}`,
  `Endpoint = ${endpoint}:${ownTunnel.port}`,
  "AllowedIPs = 0.0.0.0/0, ::/0",
  "PersistentKeepalive = 25",
];

/** Sets up the tunnel between the nodes, with routes to their addresses, and from the other one to all networks. */
async function linkNodes(node: LabHost, other: LabHost): Promise<Scene["ownKeys"]> {
  const [nodeKeys, otherKeys] = await Promise.all([makeKeys(node), makeKeys(other)]);
  await createInterface(node, ownTunnel.node, ownTunnelConfig(nodeKeys, otherKeys, otherNode));
  await createInterface(other, ownTunnel.other, ownTunnelConfig(otherKeys, nodeKeys, nodeAddress));
  await runCommands(node, [
    `ip link set ${ownTunnel.node} up`,
    `ip address add ${nodeAddresses.IPv4} peer ${otherAddresses.IPv4}/32 dev ${ownTunnel.node}`,
    `ip address add fe80::1/64 dev ${ownTunnel.node} nodad`,
    `ip route add ${otherAddresses.IPv6} dev ${ownTunnel.node} src ${nodeAddresses.IPv6}`,
  ]);
  await runCommands(other, [
    `ip link set ${ownTunnel.other} up`,
    `ip address add ${otherAddresses.IPv4}/32 dev lo; ip address add ${otherAddresses.IPv6}/128 dev lo`,
    `ip address add fe80::2/64 dev ${ownTunnel.other} nodad`,
    `ip route add 172.20.0.0/14 dev ${ownTunnel.other} src ${otherAddresses.IPv4}`,
    `ip route add fd00::/8 dev ${ownTunnel.other} src ${otherAddresses.IPv6}`,
  ]);
  return { node: nodeKeys, other: otherKeys };
}

async function openParticipant(
  internet: Internet,
  agent: LabAgent,
  number: ParticipantNumber,
  nodeKey: string,
): Promise<ScenePart> {
  const router = await internet.host(`as${number}`, `198.51.100.${number}/24`);
  const keys = await makeKeys(router);
  const peering = drawPeering(number, keys.publicKey);
  const { outcome, reason } = await agent.apply(peering.asn, peering);
  if (outcome !== "applied")
    throw new Error(`the peering of participant ${number} was not applied: ${reason}`);
  const network = number === 2 ? await openNetworkBehind(internet, router) : router;
  const { IPv4, IPv6 } = networkAddresses(number);
  const setup = { keys, peering, nodeKey };
  if (number === 3) {
    await bringUpTunnel(router, setup);
    await startFrr(router, number);
  } else {
    await runCommands(network, [`ip address add ${IPv4}/32 dev lo; ip address add ${IPv6}/128 dev lo`]);
    const sessionOptions = number === 4 ? "hold time 9; keepalive time 3; error wait time 1, 2;" : "";
    await joinNode(router, { ...setup, routes: prefixes(number), sessionOptions });
  }
  return { number, peering, router, network };
}

async function openNetworkBehind(internet: Internet, router: LabHost): Promise<LabHost> {
  const behind = await internet.hostBehind(router, "network2");
  const { IPv4, IPv6 } = networkAddresses(2);
  await runCommands(behind, [
    "ip address add fe80::2/64 dev eth0 nodad; ip address add fd42:4242:2:ff::2/64 dev eth0 nodad",
    "ip route add default via fd42:4242:2:ff::1",
  ]);
  await runCommands(router, [
    "nft delete table ip nat",
    "ip address add fd42:4242:2:ff::1/64 dev to-network2 nodad",
    `ip route add ${IPv4} via 10.255.255.2; ip route add ${IPv6} via fd42:4242:2:ff::2`,
  ]);
  return behind;
}

async function startFrr(router: LabHost, number: ParticipantNumber): Promise<void> {
  const asn = asnOf(number);
  const [ipv4, ipv6] = prefixes(number);
  const { IPv4, IPv6 } = networkAddresses(number);
  await startParticipant(
    {
      asn,
      name: router.name,
      speaker: "FRR",
      password: "",
      publicIp: `198.51.100.${number}`,
      ipv4: { prefix: ipv4, address: IPv4 },
      ipv6: { prefix: ipv6, address: IPv6 },
    },
    router,
  );
  const neighbour = "neighbor fe80::2227";
  await configureFrr(router, number, [
    `${neighbour} remote-as ${providerAsn}`,
    `${neighbour} timers connect 2`,
    `${neighbour} interface ${tunnel}`,
    `${neighbour} update-source fe80::${number}`,
    `${neighbour} capability extended-nexthop`,
    ...["ipv4", "ipv6"].flatMap((family) => [
      `address-family ${family} unicast`,
      `${neighbour} activate`,
      "exit-address-family",
    ]),
  ]);
}

/** Runs commands below `router bgp`. */
export function configureFrr(
  router: LabHost,
  number: ParticipantNumber,
  commands: readonly string[],
): Promise<string> {
  const all = ["configure terminal", `router bgp ${asnOf(number)}`, ...commands];
  return router.run("vtysh", ...all.flatMap((command) => ["-c", command]));
}
