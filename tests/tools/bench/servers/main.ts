/**
 * `npm run bench:servers`: one, two and three servers on one PostgreSQL behind nginx, with simulated agents.
 *
 * Prints the requests a second that they serve, what a request costs each program in CPU time, and how long reads take
 * beside a fixed load. Then each server is killed under load in turn, and everything that was submitted is compared with what
 * the database, the agents, the pages and the push service have.
 *
 * Prints figures, and "met" or "missed", without asserting them. All programs share the cores of one machine, so the
 * requests a second say less than the CPU time of a request.
 */
import { parseArgs } from "node:util";
import { countOf } from "#domain/text/plural.ts";
import { describeMachine, formatMs, formatTable, print, quantile } from "../figures.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { killServers } from "./kill.ts";
import type { RequestKind } from "./load.ts";
import { closePages, openPages, populate, type Population } from "./participants.ts";
import { atRates, idle, measurePhase, onlyRequests, type Phase } from "./phases.ts";

const { values } = parseArgs({
  options: {
    servers: { type: "string", default: "1,2,3" },
    participants: { type: "string", default: "40" },
    nodes: { type: "string", default: "8" },
    seconds: { type: "string", default: "5" },
    kills: { type: "string", default: "3" },
    // A busy machine serves only a part of the fixed load.
    load: { type: "string", default: "1" },
  },
});
const counts = values.servers.split(",").map(Number);
const seconds = Number(values.seconds);
const size = {
  participants: Number(values.participants),
  peeringsEach: Math.min(4, Number(values.nodes)),
  streamsEach: 3,
};
const load = Number(values.load);
const rates = { read: 60 * load, login: 2 * load, submit: 6 * load };
/** So many deployments are under way while servers are killed. */
const deploying = Math.max(1, Math.round(12 * load));
const kinds = ["read", "login", "submit"] as const;

print(`${describeMachine()}\n`);
await using installation = await openInstallation(Number(values.nodes));
async function stop(): Promise<void> {
  await installation[Symbol.asyncDispose]();
  process.exit(1);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
let population: Population | null = null;
for (const count of counts) {
  while (installation.servers().length < count) await installation.addServer();
  population ??= await populate(installation, size);
  await openPages(installation, population, size.streamsEach);
  await measure(installation, population);
  await closePages(population);
}
const kills = Number(values.kills);
if (population && kills > 0) {
  await openPages(installation, population, size.streamsEach);
  await killServers(installation, population, { kills, rates, deploying, seconds });
  await closePages(population);
}

async function measure(at: Installation, of: Population): Promise<void> {
  const title = `${countOf(at.servers().length, "server")}, ${size.participants * size.streamsEach} streams`;
  // Compiles the code, and creates the peerings.
  for (const kind of kinds) await measurePhase(at, of, { seconds: seconds / 3, run: onlyRequests(kind) });
  const phases = new Map<RequestKind, Phase>();
  for (const kind of kinds)
    phases.set(kind, await measurePhase(at, of, { seconds, run: onlyRequests(kind) }));
  const rows = Array.from(phases, ([kind, phase]) => describeKind(kind, phase));
  const resting = await measurePhase(at, of, { seconds, run: idle });
  const mixed = await measurePhase(at, of, { seconds: 2 * seconds, run: atRates(rates) });
  print(
    formatTable([
      [title, "a second", "servers", "PostgreSQL", "nginx", "agents", "load", "of servers and PostgreSQL"],
      ...rows,
      ["idle, CPU of a second", "", ...costs(resting, resting.seconds), share(resting)],
      ["fixed load, CPU of a second", "", ...costs(mixed, mixed.seconds), share(mixed)],
    ]),
  );
  const { latencies, endings } = mixed.record;
  print(
    formatTable([
      [`${rates.read} reads, ${rates.submit} submits and ${rates.login} logins a second, ms`, "p50", "p99"],
      ["read", ...describeTimes(latencies.read)],
      ["submit answered", ...describeTimes(latencies.submit)],
      ["its end at a page after that", ...describeTimes(endings)],
      ["login", ...describeTimes(latencies.login)],
    ]),
  );
  const failures = [...phases.values(), mixed].flatMap(({ record }) => record.failures);
  if (failures.length > 0) print(`  ${failures.length} requests failed: ${failures[0]?.reason}\n`);
  print("\n");
}

function describeTimes(times: readonly number[]): readonly string[] {
  return [formatMs(quantile(times, 0.5)), formatMs(quantile(times, 0.99))];
}

/** CPU milliseconds of each program. */
function costs({ usage }: Phase, divisor: number): readonly string[] {
  const names = ["servers", "PostgreSQL", "nginx", "agents", "load"];
  return names.map((name) => formatMs((usage[name] ?? 0) / divisor));
}

function describeKind(kind: RequestKind, phase: Phase): readonly string[] {
  const count = phase.record.latencies[kind].length;
  const name = { read: "status read", login: "login", submit: "submit to its end" }[kind];
  return [name, formatMs(count / phase.seconds), ...costs(phase, count), share(phase)];
}

/** PostgreSQL's share of the CPU time of the servers and PostgreSQL together. */
function share({ usage: { servers = 0, PostgreSQL = 0 } }: Phase): string {
  return `${((100 * PostgreSQL) / (servers + PostgreSQL)).toFixed(0)} %`;
}
