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
import { type ScaleDatabase, sqlite } from "./databases.ts";
import { startInstallation } from "./installation.ts";
import { measureMinutes, requestsMs } from "./minutes.ts";
import { compareWithStaticFile, measureRequests } from "./requests.ts";
import { formatScale, type ScaleFigures } from "./table.ts";

const { values } = parseArgs({
  options: {
    peerings: { type: "string", default: "20,2000,20000" },
    databases: { type: "string", default: "sqlite" },
    runs: { type: "string", default: "8" },
    /** Leaves out what takes minutes: the observations and the idle minute. */
    hurry: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);

/** One installation at a time starts and is asked; the minutes without requests of others may run beside it. */
let lastTurn: Promise<unknown> = Promise.resolve();
function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

async function measureSize(peerings: number, database: ScaleDatabase): Promise<ScaleFigures> {
  await using parts = new AsyncDisposableStack();
  const { installation, ...figures } = await takeTurn(async () => {
    const started = parts.use(await startInstallation(peerings, database));
    const { pid, startedAt } = started;
    const idleRss = readRss(pid);
    const authByStatic = await compareWithStaticFile(started);
    const requests = await measureRequests(started, { runs, until: startedAt + requestsMs });
    return { installation: started, idleRss, authByStatic, requests, usedRss: readRss(pid) };
  });
  const minutes = values.hurry ? null : await measureMinutes(installation);
  return { peerings, ...figures, minutes, sizes: await installation.database.sizes() };
}

print(`  ${describeMachine()}\n`);
const sizes = values.peerings.split(",").map(Number);
const running = [sqlite].map((database) => {
  return { database, sizes: sizes.map((peerings) => measureSize(peerings, database)) };
});
for (const { database, sizes: measured } of running) {
  // Each ends its programs, even if another one fails.
  await Promise.allSettled(measured);
  print(formatScale(`${database.kind}, CPU ms`, await Promise.all(measured)));
}
