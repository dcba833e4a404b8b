/**
 * `npm run bench:status`: measures the CPU time of the calls that a dashboard polls, with 20, 2,000 and 20,000 peerings in
 * a SQLite database: the status of an AS's peerings, their history, and the summary of the network. From the request to the
 * response, without network and login.
 *
 * The status and the histories are each of another AS, so that nothing is shared between callers but the nodes' responses.
 * Prints figures, and "met" or "missed", without asserting them. Compare the ratios: the calls are measured in turn.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { calls } from "#contract/calls.ts";
import { fixedNodes } from "#server/nodes/nodes.ts";
import { toProviderNode } from "#server/nodes/provider-node.ts";
import { createAgentClient } from "#server/agents/agent-client.ts";
import { createLinkReader } from "#server/agents/node-links.ts";
import { createNodeReader } from "#server/agents/node-reader.ts";
import { serveCalls } from "#server/api/serve-calls.ts";
import { createLocalLocks } from "#server/db/locks.ts";
import { observationHandlers } from "#server/features/observations/handlers.ts";
import { observeNodes } from "#server/features/observations/observer.ts";
import { type PeeringContext, peeringHandlers } from "#server/features/peerings/handlers.ts";
import { createLog } from "#server/log.ts";
import { compareWithTarget, formatMs, formatTable, measureCpu, median, print, worst } from "./figures.ts";
import { type FilledDatabase, openFilledDatabase } from "./filled-database.ts";

const { values } = parseArgs({
  options: {
    peerings: { type: "string", default: "20,2000,20000" },
    runs: { type: "string", default: "60" },
  },
});
const runs = Number(values.runs);
const warmUps = 5;
/** As many ASes as the smallest database has. */
const requestsPerRun = 5;
const maxRatio = 1.3;
const minuteMs = 60_000;

/** A server's API whose requests name the AS in a header. Another one shares nothing with it. */
function openApi(database: FilledDatabase, nodeReader: PeeringContext["nodeReader"]) {
  const { db, now, profile, transports } = database;
  const agents = createAgentClient(transports);
  const nodes = fixedNodes(profile.nodes.map(toProviderNode));
  const deps: Partial<PeeringContext> = {
    db,
    nodeReader,
    profile,
    nodes,
    clock: () => now,
    onStatusRead: () => undefined,
  };
  const handlers = {
    ...peeringHandlers(deps as PeeringContext),
    ...observationHandlers({ db, agents, nodes, profile, clock: () => now, links: createLinkReader(agents) }),
  };
  return serveCalls(handlers as never, {
    authenticate: async ({ req }) => ({ asn: req.header("as") }) as never,
    authenticateToken: () => Promise.reject(new Error("the bench sends no API tokens")),
  });
}

type Api = ReturnType<typeof openApi>;
type PolledCall = "getPeerStatus" | "getPeeringHistory" | "getNetworkSummary";

async function request(api: Api, name: PolledCall, asn: string): Promise<void> {
  const { method, path, body } = calls[name];
  const json = { "content-type": "application/json", as: asn };
  const response = await api.request(path, {
    method,
    headers: json,
    ...(body && { body: JSON.stringify({ username: asn }) }),
  });
  if (response.status !== 200) throw new Error(`${name}: ${response.status}`);
  await response.text();
}

async function measureCalls(database: FilledDatabase): Promise<ReadonlyMap<string, readonly number[]>> {
  const { asns, transports } = database;
  const nodeReader = createNodeReader(createAgentClient(transports), { maxAgeMs: Number.POSITIVE_INFINITY });
  const times = new Map<string, number[]>();
  // The first runs compile the code and read the nodes.
  for (let run = -warmUps; run < runs; run += 1) {
    const api = openApi(database, nodeReader);
    const own = Array.from({ length: requestsPerRun }, (_, index) => {
      return asns[((run + warmUps) * requestsPerRun + index) % asns.length] ?? "";
    });
    const rows = [
      ["getPeerStatus", "getPeerStatus", own],
      ["getPeeringHistory", "getPeeringHistory", own],
      ["getNetworkSummary, the first in five seconds", "getNetworkSummary", own.slice(0, 1)],
      ["getNetworkSummary, in the seconds after it", "getNetworkSummary", own],
    ] as const;
    for (const [row, name, callers] of rows) {
      const time = await measureCpu(async () => {
        for (const asn of callers) await request(api, name, asn);
      });
      if (run >= 0) times.set(row, [...(times.get(row) ?? []), time / callers.length]);
    }
  }
  return times;
}

/** CPU time of an observation, and of one after a half hour is over. */
async function measureObservations({ db, now, transports }: FilledDatabase) {
  const agents = createAgentClient(transports);
  const nodeReader = createNodeReader(agents, { maxAgeMs: 0 });
  const observe = (minutes: number) =>
    measureCpu(() => {
      const deps = {
        db,
        nodeReader,
        agents,
        locks: createLocalLocks(),
        clock: () => now + minutes * minuteMs,
        retentionClock: () => now + minutes * minuteMs,
        log: createLog("silent"),
      };
      const rest = { everyMs: minuteMs, onObserved: async () => undefined };
      return observeNodes({ ...deps, ...rest }, new AbortController().signal);
    });
  await observe(1);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const [usual, finishing] = [await observe(2), await observe(30)];
  delays.disable();
  return { usual, finishing, longestTurn: delays.max / 1e6 };
}

/** CPU time of the status of an AS whose nodes have not been read a moment ago. */
async function measureStatusOfReadNodes(database: FilledDatabase): Promise<readonly number[]> {
  const { asns, transports } = database;
  const times: number[] = [];
  for (let run = -warmUps; run < runs; run += 1) {
    const api = openApi(database, createNodeReader(createAgentClient(transports), { maxAgeMs: 1_000 }));
    const time = await measureCpu(() =>
      request(api, "getPeerStatus", asns[(run + warmUps) % asns.length] ?? ""),
    );
    if (run >= 0) times.push(time);
  }
  return times;
}

async function printManyNodes(size: number): Promise<void> {
  const nodeCount = 64;
  const rows: string[][] = [];
  for (const peeringsOfAs of [6, 64]) {
    await using database = await openFilledDatabase(size, { nodeCount, peeringsOfAs });
    const times = await measureStatusOfReadNodes(database);
    rows.push([`status of ${peeringsOfAs} peerings`, formatMs(median(times)), formatMs(worst(times))]);
    if (peeringsOfAs < nodeCount) continue;
    const { usual, finishing, longestTurn } = await measureObservations(database);
    rows.push(["an observation; one after a half hour", formatMs(usual), formatMs(finishing)]);
    rows.push(["longest turn of the event loop", "", formatMs(longestTurn)]);
  }
  print(formatTable([[`CPU with ${size} peerings on ${nodeCount} nodes, ms`, "median", "worst"], ...rows]));
}

for (const size of values.peerings.split(",").map(Number)) {
  await using database = await openFilledDatabase(size);
  const times = await measureCalls(database);
  const rows = Array.from(times, ([name, own]) => [name, formatMs(median(own)), formatMs(worst(own))]);
  print(formatTable([[`CPU of a call with ${size} peerings, ms`, "median", "worst"], ...rows]));
  const [baseline = Number.NaN] = Array.from(times.values(), median);
  for (const [name, own] of [...times].slice(1)) {
    print(compareWithTarget(`${name} : getPeerStatus`, median(own) / baseline, maxRatio, ""));
  }
  const { usual, finishing, longestTurn } = await measureObservations(database);
  print(`  an observation: ${formatMs(usual)} ms, after a half hour is over: ${formatMs(finishing)} ms\n`);
  print(`  the longest turn of the event loop in it: ${formatMs(longestTurn)} ms\n\n`);
  await printManyNodes(size);
}
