/**
 * `npm run bench:drift`: measures the CPU time of the agent's check for drift, which it makes every ten seconds, with 10, 100 and
 * 1,000 peerings.
 *
 * The tunnels are stubs: TUN devices, and one process that responds for their WireGuard. `wg` asks it once for each tunnel,
 * which costs more than to ask the kernel. BIRD runs the sessions, which never come up. Prints figures, and "met" or
 * "missed", without asserting them.
 */
import { parseArgs } from "node:util";
import { openInternet } from "#lab/hosts/namespaces.ts";
import { startHostProcess } from "../../lab/host-process.ts";
import { routerOptions, startNodeBird } from "../../lab/lab-node.ts";
import type { CheckCost, DriftCalls } from "./drift-node.ts";
import { compareWithTarget, describeMachine, formatMs, formatTable, print } from "./figures.ts";
import { routedFiller } from "./filler-peerings.ts";
import { replaceWireguard } from "./stub-tunnels.ts";

const { values } = parseArgs({
  options: {
    peers: { type: "string", default: "10,100,1000" },
    checks: { type: "string", default: "30" },
  },
});
const sizes = values.peers.split(",").map(Number);
const checks = Number(values.checks);
const intervalMs = 10_000;
const maxPercent = 1;

print(`${describeMachine()}\n`);
await using internet = await openInternet();
const host = await internet.host("syd01", "198.51.100.254/24");
await startNodeBird(host, []);
await replaceWireguard(host);
await using driver = startHostProcess(host, "../tools/bench/drift-node.ts", {
  ...routerOptions(host),
  isProbing: false,
});
const call = <N extends keyof DriftCalls>(name: N, ...args: Parameters<DriftCalls[N]>) =>
  driver.call({ call: name, args }) as ReturnType<DriftCalls[N]>;

const measured: Array<CheckCost & { readonly peers: number }> = [];
for (const peers of sizes) {
  await call(
    "set",
    Array.from({ length: peers }, (_, number) => routedFiller(number, "fe80::2227")),
  );
  measured.push({ peers, ...(await call("check", checks)) });
}

const percentOf = ({ agentMs, commandsMs }: CheckCost) => ((agentMs + commandsMs) / intervalMs) * 100;
const row = (name: string, read: (cost: CheckCost) => number) => [
  name,
  ...measured.map((cost) => formatMs(read(cost))),
];
print(`
A check for drift, mean of ${checks}; milliseconds of CPU time.

${formatTable([
  ["peers on the node", ...measured.map(({ peers }) => String(peers))],
  row("agent", ({ agentMs }) => agentMs),
  row("its commands", ({ commandsMs }) => commandsMs),
  row("number of commands", ({ commands }) => commands),
  row("% of a core", percentOf),
])}
${measured
  .map((cost) =>
    compareWithTarget(
      `${cost.peers} peers: a check every ten seconds`,
      percentOf(cost),
      maxPercent,
      " % of a core",
    ),
  )
  .join(
    "",
  )}${measured.flatMap(({ drift }) => drift.map((code) => `  drift was found: ${code}\n`)).join("")}`);
