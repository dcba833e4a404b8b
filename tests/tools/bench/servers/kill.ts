/** Kills servers under load, one after the other, and prints how soon the others have taken over. */
import { setTimeout as pause } from "node:timers/promises";
import { compareWithTarget, formatTable, print, worst } from "../figures.ts";
import { compareEverything } from "./checks.ts";
import type { Installation } from "./installation.ts";
import { createLoad, type LoadRecord } from "./load.ts";
import { runAtOnce, runAtRate } from "./pace.ts";
import { type Population, resetRateLimits } from "./participants.ts";
import type { Rates } from "./phases.ts";

export interface KillOptions {
  readonly kills: number;
  /** Reads and logins a second. */
  readonly rates: Rates;
  /** So many deployments are under way at any time. */
  readonly deploying: number;
  /** How long there is load before and after each kill. */
  readonly seconds: number;
}

interface Kill {
  /** Milliseconds since 1970, as everything here. */
  readonly at: number;
  readonly tasks: readonly Interrupted[];
  /** When the pages whose stream broke had another one. */
  readonly moves: readonly number[];
}

interface Interrupted {
  readonly id: string;
  readonly created_at: number;
  readonly ended_at: number | null;
}

/** How long a killed process may take to end on a busy machine. The next kill is later. */
const maxBreakMs = 5_000;
const maxTaskSeconds = 2;
const maxMoveSeconds = 3;

export async function killServers(
  installation: Installation,
  population: Population,
  { kills, rates, deploying, seconds }: KillOptions,
): Promise<void> {
  await resetRateLimits(installation);
  population.onTaskEnd.clear();
  const since = Date.now();
  const load = createLoad(installation, population);
  let isOver = false;
  const running = Promise.all([
    // A request in progress at a kill fails, which the record has.
    runAtRate(
      () => load.read().catch(() => undefined),
      rates.read,
      () => isOver,
    ),
    runAtRate(
      () => load.login().catch(() => undefined),
      rates.login,
      () => isOver,
    ),
    runAtOnce(load.submit, deploying, () => isOver),
  ]);
  running.catch(() => undefined);
  const killed: number[] = [];
  for (let index = 0; index < kills; index += 1) {
    await Promise.race([running, pause(1_000 * seconds)]);
    const server = index % installation.servers().length;
    killed.push(await installation.kill(server));
    await Promise.race([running, pause(1_000 * seconds)]);
    await installation.restart(server);
  }
  isOver = true;
  await running;
  const all = await Promise.all(killed.map((at) => findInterrupted(installation, population, at)));
  report(all, load.record);
  print(await compareEverything(installation, population, { record: load.record, since }));
}

async function findInterrupted(
  { database }: Installation,
  { participants }: Population,
  at: number,
): Promise<Kill> {
  const tasks = await database.db
    .selectFrom("tasks")
    .select(["id", "created_at", "ended_at"])
    .where("created_at", "<=", at)
    .where((row) => row.or([row("ended_at", ">", at), row("ended_at", "is", null)]))
    .execute();
  const moves = participants.flatMap(({ streams }) =>
    streams.flatMap(({ reconnections }) =>
      reconnections
        .filter(({ brokenAt }) => brokenAt >= at && brokenAt < at + maxBreakMs)
        .map(({ connectedAt }) => connectedAt),
    ),
  );
  return { at, tasks, moves };
}

function secondsAfter(at: number, times: readonly number[]): number {
  return times.length === 0 ? 0 : (worst(times) - at) / 1_000;
}

function report(kills: readonly Kill[], { failures, submits }: LoadRecord): void {
  const rows = kills.map(({ at, tasks, moves }, index) => {
    const ended = tasks.map(({ ended_at }) => ended_at ?? Infinity);
    return {
      title: `kill ${index + 1}`,
      tasks: tasks.length,
      lastTask: secondsAfter(at, ended),
      moves: moves.length,
      lastMove: secondsAfter(at, moves),
      failed: failures.filter((failure) => failure.at >= at && failure.at < at + 5_000).length,
    };
  });
  print(
    formatTable([
      [
        `SIGKILL under load, ${submits.length} submits`,
        "unfinished",
        "last end, s",
        "streams",
        "moved, s",
        "failed requests",
      ],
      ...rows.map((row) => [
        row.title,
        String(row.tasks),
        row.lastTask.toFixed(2),
        String(row.moves),
        row.lastMove.toFixed(2),
        String(row.failed),
      ]),
    ]),
  );
  const reasons = Map.groupBy(failures, ({ kind, reason }) => `${kind} ${reason}`);
  for (const [reason, all] of reasons) print(`  failed: ${all.length} × ${reason}\n`);
  print(
    compareWithTarget(
      "the last task ends",
      worst(rows.map(({ lastTask }) => lastTask)),
      maxTaskSeconds,
      " s",
    ),
  );
  print(
    compareWithTarget(
      "the last stream moves",
      worst(rows.map(({ lastMove }) => lastMove)),
      maxMoveSeconds,
      " s",
    ),
  );
}
