/**
 * `npm run bench:start`: the time from the start of the server and the demo to their first response, relative to `node -e 0` in the
 * same run. The first start creates the database; the others use it. Prints figures, and "met" or "missed", without asserting them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { setUpProvider } from "../../integration/provider/provider.ts";
import { serverProgram } from "../../support/built-programs.ts";
import { freePort } from "../../support/free-port.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { compareWithTarget, describeMachine, formatMs, formatTable, median, print } from "./figures.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
const runs = Number(values.runs);
const targetRatio = 20;
const pollMs = 5;

type Settings = Readonly<Record<string, string>>;

print(`${describeMachine()}; milliseconds, medians of ${runs} runs\n`);
await using parts = new AsyncDisposableStack();
const provider = parts.use(await setUpProvider(["syd01"]));
const rows = [["", "empty program", "first start", "later starts", "ratio"]];
let verdicts = "";
for (const mode of ["server", "demo"]) {
  const dataDir = await createScratchFolder((remove) => parts.defer(remove));
  const settings = { ...(mode === "server" && provider.environment), DATA_DIR: dataDir };
  const first = await timeStart(mode, settings);
  const empty: number[] = [];
  const later: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    empty.push(await timeEmpty());
    later.push(await timeStart(mode, settings));
  }
  const ratio = median(later) / median(empty);
  rows.push([mode, ...[median(empty), first, median(later), ratio].map(formatMs)]);
  verdicts += compareWithTarget(
    `${mode}: start to first response, relative to node -e 0`,
    ratio,
    targetRatio,
    " times",
  );
}
print(`${formatTable(rows)}\n${verdicts}`);

async function timeEmpty(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ["-e", "0"]), "exit");
  return performance.now() - started;
}

/** Starts the program, and kills it after its first response. Returns the time until then, in milliseconds. */
async function timeStart(mode: string, settings: Settings): Promise<number> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const environment = { ...settings, PORT: String(port), METRICS_PORT: String(metricsPort) };
  const started = performance.now();
  const child = spawn(process.execPath, [serverProgram, mode], { env: environment, stdio: "ignore" });
  const exited = once(child, "exit");
  while (!(await isResponding(`http://127.0.0.1:${port}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`peerdeck ${mode} ended with ${child.exitCode}`);
    await pause(pollMs);
  }
  const ms = performance.now() - started;
  child.kill("SIGKILL");
  await exited;
  return ms;
}

async function isResponding(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => (await response.text()) !== "",
    () => false,
  );
}
