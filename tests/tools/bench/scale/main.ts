/**
 * `npm run bench:scale`: what the server costs with 20, 2,000 and 20,000 peerings and 64 agents, on SQLite and PostgreSQL. It
 * makes its data. docs/benchmarks.md has the figures.
 *
 * Prints, without asserting: CPU milliseconds (median, worst), the server's alone, or "server + PostgreSQL", and "met" or
 * "missed" for each aim.
 */
import { parseArgs } from "node:util";
import { describeMachine, print } from "../figures.ts";
import { readRss } from "./cpu.ts";
import type { DatabaseKind } from "./databases.ts";
import { startInstallation } from "./installation.ts";
import { fullLoad, measureLoad, smallLoad } from "./load.ts";
import { measureLong } from "./long.ts";
import { measureMinutes, requestsMs } from "./minutes.ts";
import { compareWithStaticFile, measureRequests } from "./requests.ts";
import { formatScale, type ScaleFigures } from "./table.ts";

const { values } = parseArgs({
  options: {
    peerings: { type: "string", default: "20,2000,20000" },
    databases: { type: "string", default: "sqlite,postgres" },
    runs: { type: "string", default: "6" },
    /** Measures the table alone. */
    table: { type: "boolean", default: false },
    /** Measures reads beside load alone. */
    load: { type: "boolean", default: false },
    /** Measures 200 people for `minutes` alone. */
    long: { type: "boolean", default: false },
    minutes: { type: "string", default: "30" },
    /** Leaves out what takes minutes, the observations and the idle minute, and has a smaller load. */
    hurry: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const sizes = values.peerings.split(",").map(Number);
const kinds = values.databases.split(",") as DatabaseKind[];
/** The size that is measured beside load. */
const loadedPeerings = sizes.find((size) => size >= 2_000) ?? Math.max(...sizes);

/** One installation at a time starts and is asked; the minutes without requests of others may run beside it. */
let lastTurn: Promise<unknown> = Promise.resolve();
function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

async function measureSize(peerings: number, kind: DatabaseKind): Promise<ScaleFigures> {
  await using parts = new AsyncDisposableStack();
  const { installation, ...figures } = await takeTurn(async () => {
    const started = parts.use(await startInstallation(peerings, kind));
    const { pid, startedAt } = started;
    const idleRss = readRss(pid);
    const authByStatic = await compareWithStaticFile(started);
    const requests = await measureRequests(started, { runs, until: startedAt + requestsMs });
    return { installation: started, idleRss, authByStatic, requests, usedRss: readRss(pid) };
  });
  const minutes = values.hurry ? null : await measureMinutes(installation);
  return { peerings, ...figures, minutes, sizes: await installation.database.readSizes() };
}

async function measureTable(): Promise<void> {
  const running = kinds.map((kind) => ({
    kind,
    measured: sizes.map((peerings) => measureSize(peerings, kind)),
  }));
  const ended = Promise.allSettled(running.flatMap(({ measured }) => measured));
  try {
    for (const { kind, measured } of running)
      print(`${formatScale(`${kind}, CPU ms`, await Promise.all(measured))}\n`);
  } finally {
    // Each ends its programs, even if another one fails.
    await ended;
  }
}

async function measureLoaded(kind: DatabaseKind): Promise<void> {
  await using installation = await startInstallation(loadedPeerings, kind);
  if (values.long) await measureLong(installation, Number(values.minutes));
  else print(`${await measureLoad(installation, values.hurry ? smallLoad : fullLoad)}\n`);
}

print(`  ${describeMachine()}\n`);
if (!values.load && !values.long) await measureTable();
if (!values.table) for (const kind of kinds) await measureLoaded(kind);
