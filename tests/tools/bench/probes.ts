/**
 * `npm run bench:probes`: measures what probes cost a node with 100 peers, in CPU time and packets, compared with a node
 * without peers in the same run.
 *
 * The tunnels are the stubs of `drift.ts`, so that no probe is replied: a reply is a packet of the same size in the other
 * direction. Every peer has both address families and an address in its network. Prints figures, and "met" or "missed", without
 * asserting them.
 */
import { parseArgs } from "node:util";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { openInternet, runCommands } from "#lab/hosts/namespaces.ts";
import { startHostProcess } from "../../lab/host-process.ts";
import { routerOptions, startNodeBird } from "../../lab/lab-node.ts";
import type { DriftCalls, RestCost } from "./drift-node.ts";
import { compareWithTarget, describeMachine, formatMs, formatTable, print } from "./figures.ts";
import { dualStackFiller } from "./filler-peerings.ts";
import { replaceWireguard } from "./stub-tunnels.ts";

const { values } = parseArgs({
  options: {
    peers: { type: "string", default: "100" },
    seconds: { type: "string", default: "120" },
  },
});
const peers = Number(values.peers);
const seconds = Number(values.seconds);
/** What WireGuard adds to a packet over IPv4: IP, UDP, its own header and the authentication tag. */
const wireguardBytes = 60;
const maxPercent = 1;
const maxBitsPerSecond = 2000;

print(`${describeMachine()}\n`);
await using internet = await openInternet();
const host = await internet.host("syd01", "198.51.100.254/24");
await startNodeBird(host, []);
await replaceWireguard(host);
await runCommands(host, [
  `nft 'table inet probes {
    chain sent { type filter hook output priority 0; meta l4proto { icmp, ipv6-icmp } oifname "dn42_*" counter; }
  }'`,
]);

async function readSent() {
  const text = await host.run("nft", "list", "table", "inet", "probes");
  const [, packets, bytes] = /packets (\d+) bytes (\d+)/.exec(text) ?? [];
  return { packets: Number(packets), bytes: Number(bytes) };
}

await using driver = startHostProcess(host, "../tools/bench/drift-node.ts", {
  ...routerOptions(host),
  isProbing: true,
});
const call = <N extends keyof DriftCalls>(name: N, ...args: Parameters<DriftCalls[N]>) =>
  driver.call({ call: name, args }) as ReturnType<DriftCalls[N]>;

async function measure() {
  const before = await readSent();
  const cost = await call("rest", seconds);
  const after = await readSent();
  return { ...cost, packets: after.packets - before.packets, bytes: after.bytes - before.bytes };
}

await call("set", []);
const none = await measure();
const desired = Array.from({ length: peers }, (_, number) => dualStackFiller(number));
await call("set", desired);
// Without sessions, the node has no routes to the peers' networks.
await runCommands(
  host,
  desired.map(({ peering }) => `ip route add ${peering.probeAddress} dev ${interfaceName(peering.asn)}`),
);
// The first rounds follow the creation of the tunnels.
await call("rest", Math.min(seconds, 20));
const some = await measure();

const percentOf = ({ agentMs, commandsMs }: RestCost) => ((agentMs + commandsMs) / seconds / 1000) * 100;
const bitsOf = ({ packets, bytes }: typeof some) =>
  ((bytes + packets * wireguardBytes) * 8) / seconds / peers;
const sumOf = (counts: RestCost["commands"]) => Object.values(counts).reduce((sum, count) => sum + count, 0);
const row = (name: string, read: (cost: typeof some) => string) => [name, read(none), read(some)];
print(`
${seconds} seconds without changes and requests; CPU time in milliseconds.

${formatTable([
  ["peers on the node", "0", String(peers)],
  row("agent", ({ agentMs }) => formatMs(agentMs)),
  row("its commands", ({ commandsMs }) => formatMs(commandsMs)),
  row("fping", ({ commands }) => String(commands["fping"] ?? 0)),
  row("other commands", ({ commands }) => String(sumOf(commands) - (commands["fping"] ?? 0))),
  row("% of a core", (cost) => formatMs(percentOf(cost))),
  row("packets", ({ packets }) => String(packets)),
  row("bytes a packet", ({ packets, bytes }) => (packets === 0 ? "-" : (bytes / packets).toFixed(1))),
])}
${compareWithTarget(`${peers} peers: probes`, percentOf(some), maxPercent, " % of a core")}${compareWithTarget(
  "a peer: probes in one direction, with WireGuard",
  bitsOf(some),
  maxBitsPerSecond,
  " bit/s",
)}`);
