/** The CPU time of single requests, one after the other. */
import { setTimeout as pause } from "node:timers/promises";
import { median } from "../figures.ts";
import { readProcessCpu } from "./cpu.ts";
import type { Installation } from "./installation.ts";
import { asnOf, narrowCount, nodesOf, wideAsn } from "./layout.ts";
import { createParticipants, type Participants } from "./participants.ts";
import type { MeasuredRequest } from "./server-probe.ts";

/** What is measured of the requests with this name in their query. */
const measuredRows = [
  "submit",
  "status6",
  "status6Unread",
  "status64",
  "status64Unread",
  "nodeSeries",
  "traffic",
  "history",
] as const;
export type MeasuredRow = (typeof measuredRows)[number];
export type RequestFigures = Readonly<Record<MeasuredRow, readonly MeasuredRequest[]>>;

export interface RequestOptions {
  readonly runs: number;
  /** When the last run begins at the latest, as `performance.now()`. One run is always made. */
  readonly until: number;
}

/** After it, a node is read again. */
const unreadMs = 1_100;
/** After it, the history of the nodes is read from the database again. */
const unpreparedMs = 5_200;
/** So many successive ASes share no node. */
const disjointAsns = 10;
const submitsPerRun = 3;

export async function measureRequests(
  installation: Installation,
  { runs, until }: RequestOptions,
): Promise<RequestFigures> {
  const participants = createParticipants(installation);
  const count = narrowCount(installation.peerings);
  const readHistory = readUnprepared(participants);
  // The first run compiles the code.
  await runOnce(participants, count, 0);
  const requests = await installation.probe.measureRequests(async () => {
    for (let run = 1; run === 1 || (run <= runs && performance.now() < until); run += 1) {
      await readHistory();
      await runOnce(participants, count, run);
    }
  });
  const byRow = Map.groupBy(requests, ({ path }) => new URLSearchParams(path.split("?")[1]).get("row"));
  return Object.fromEntries(
    measuredRows.map((row) => [row, byRow.get(row) ?? []]),
  ) as unknown as RequestFigures;
}

/** @param count of the ASes with six peerings */
async function runOnce(
  { read, submit, waitForEnd }: Participants,
  count: number,
  run: number,
): Promise<void> {
  const indices = Array.from({ length: Math.min(disjointAsns, count) }, (_, each) => {
    return (run * disjointAsns + each) % count;
  });
  await pause(unreadMs);
  for (const index of indices) await read("getPeerStatus", asnOf(index), "status6Unread");
  for (const index of indices) await read("getPeerStatus", asnOf(index), "status6");
  await pause(unreadMs);
  await read("getPeerStatus", wideAsn, "status64Unread");
  for (let again = 0; again < 3; again += 1) await read("getPeerStatus", wideAsn, "status64");
  for (const index of indices.slice(0, 3)) {
    await read("getNodeSeries", asnOf(index), "nodeSeries");
    await read("getTrafficSeries", asnOf(index), "traffic");
  }
  for (const index of indices.slice(0, submitsPerRun)) {
    const nodes = nodesOf(index);
    const task = await submit(asnOf(index), nodes[run % nodes.length] ?? "", run, "submit");
    await waitForEnd(asnOf(index), task);
  }
}

/** Reads the history of the nodes when the server has nothing prepared. */
function readUnprepared({ read }: Participants): () => Promise<void> {
  let readAt = -Infinity;
  return async () => {
    if (performance.now() - readAt < unpreparedMs) return;
    await read("getNodeHistories", wideAsn, "history");
    readAt = performance.now();
  };
}

const requestsPerBatch = 150;

/** The CPU time of auth-status by that of a static file, all work of the server included. */
export async function compareWithStaticFile({ url, pid, cookies }: Installation): Promise<number> {
  const { read } = createParticipants({ url, cookies });
  const measure = async (request: () => Promise<unknown>) => {
    const before = readProcessCpu(pid);
    for (let count = 0; count < requestsPerBatch; count += 1) await request();
    return readProcessCpu(pid) - before;
  };
  const ratios: number[] = [];
  for (let batch = 0; batch < 4; batch += 1) {
    const file = await measure(async () => (await fetch(`${url}/favicon.svg`)).text());
    ratios.push((await measure(() => read("authStatus", wideAsn))) / file);
  }
  return median(ratios.slice(1));
}
