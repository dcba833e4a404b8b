/** Reads beside load: 200 submits at once with 2,000 open event streams, and 50 logins without a pause. */
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import { compareWithTarget, formatMs, median, quantile, worst } from "../figures.ts";
import { accountCount, password } from "./fill.ts";
import { type Installation, waitUntilQuiet } from "./installation.ts";
import { asnOf, narrowCount, nodesOf } from "./layout.ts";
import { type Pages, startPages } from "./pages.ts";
import { createParticipants, type Participants } from "./participants.ts";
import { readDuring, type ReadOptions } from "./reads.ts";

export interface LoadOptions {
  readonly submits: number;
  /** At most `accountCount`. */
  readonly streams: number;
  readonly logins: number;
  /** How long reads without the load are measured. */
  readonly idleMs: number;
}

export const fullLoad: LoadOptions = { submits: 200, streams: accountCount, logins: 50, idleMs: 6_000 };
export const smallLoad: LoadOptions = { submits: 10, streams: 50, logins: 5, idleMs: 500 };

const maxTasksMs = 60_000;
const everyMs = 20;
const limits = { readMs: 100, endMs: 100, loginRatio: 2.5 };

export async function measureLoad(installation: Installation, load: LoadOptions): Promise<string> {
  const participants = createParticipants(installation);
  const options = readOptions(installation);
  await readDuring(participants, options, pause(2_000));
  const idle = await readDuring(participants, options, pause(load.idleMs));
  const logins = await readDuring(participants, options, logInAll(participants, load.logins));
  await waitUntilQuiet(installation.pid);
  const { besideStreams, reads, answers, ends, refused } = await measureSubmits(
    installation,
    participants,
    load,
  );
  return [
    `  Beside load, ${installation.kind}, ${installation.peerings} peerings, ms: median, p99, worst\n`,
    describe("a read, idle", idle),
    describe(`beside ${load.logins} logins`, logins),
    describe(`beside ${load.streams} streams`, besideStreams),
    describe(`beside ${load.submits} submits at once and these streams`, reads),
    describe(`these submits answered, ${refused} of them refused`, answers),
    describe("their ends at their pages", ends),
    compareWithTarget(
      "a read's p99 beside submits : idle",
      p99(reads) - p99(idle),
      limits.readMs,
      " ms more",
    ),
    compareWithTarget("the last end at its page", worst(ends), limits.endMs, " ms"),
    compareWithTarget("a read's p99 beside logins : idle", p99(logins) / p99(idle), limits.loginRatio, ""),
  ].join("");
}

function readOptions({ peerings }: Installation): ReadOptions {
  return { everyMs, asns: narrowCount(peerings) };
}

function p99(times: readonly number[]): number {
  return quantile(times, 0.99);
}

function describe(what: string, times: readonly number[]): string {
  const values = [median(times), quantile(times, 0.99), worst(times)].map(formatMs);
  return `    ${what}: ${values.join(", ")}\n`;
}

async function logInAll({ send }: Participants, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await send(calls.login.path, "", { username: asnOf(index), password });
}

async function measureSubmits(installation: Installation, participants: Participants, load: LoadOptions) {
  const options = readOptions(installation);
  await using pages = startPages(installation);
  await pages.run(
    "open",
    Array.from({ length: load.streams }, (_, index) => asnOf(index)),
  );
  const submissions = Array.from({ length: load.submits }, (_, index) => ({
    asn: asnOf(index),
    node: nodesOf(index)[0] ?? "",
    number: 1_000 + index,
  }));
  // The pages have loaded, and the server reads the nodes for them.
  await pause(2_000);
  const besideStreams = await readDuring(participants, options, pause(load.idleMs));
  const submitted = pages.run("submit", submissions).then(async (answers) => {
    const accepted = answers.flatMap(({ taskID }) => taskID ?? []);
    return { answers, arrivals: await waitForEnds(pages, accepted) };
  });
  const reads = await readDuring(participants, options, submitted);
  const { answers, arrivals } = await submitted;
  const endedAt = await installation.readTaskEnds();
  const ends = Array.from(arrivals, ([taskID, at]) => at - (endedAt.get(taskID) ?? Number.NaN));
  const refused = answers.length - arrivals.size;
  return { besideStreams, reads, answers: answers.map(({ answeredMs }) => answeredMs), ends, refused };
}

/** Resolves with the times at which the ends of these tasks arrived, when all have. */
async function waitForEnds(pages: Pages, tasks: readonly string[]): Promise<ReadonlyMap<string, number>> {
  for (let waitedMs = 0; waitedMs < maxTasksMs; waitedMs += 200) {
    const ends = await pages.run("ends");
    const own = tasks.flatMap((taskID) => {
      const at = ends.get(taskID);
      return at === undefined ? [] : ([[taskID, at]] as const);
    });
    if (own.length === tasks.length) return new Map(own);
    await pause(200);
  }
  throw new Error(`after ${maxTasksMs / 1000} s some of ${tasks.length} tasks have not ended at their pages`);
}
