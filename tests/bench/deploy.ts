/**
 * `npm run bench:deploy`: how long it takes from Submit to Established, in the lab.
 *
 * Prints figures and asserts none of them: a machine that is busy misses aims without being at fault.
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { LabError } from "../../src/lab/network.ts";
import { assertRequirements } from "../../src/lab/requirements.ts";
import { openBench } from "./bench.ts";
import { compareTimers } from "./compare-timers.ts";
import { fillNode } from "./fill-node.ts";

function say(text: string): void {
  process.stdout.write(text);
}

/** Figures mean something only beside the machine they were taken on. */
function machine(): string {
  const load = loadavg()[0]?.toFixed(1);
  return `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, load ${load} before the start\n`;
}

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    "runs-full": { type: "string", default: "5" },
    peers: { type: "string", default: "10,100,1000" },
  },
});

try {
  assertRequirements();
  say(machine());
  await using bench = await openBench();
  await compareTimers(bench, Number(values.runs), say);
  await fillNode(bench, values.peers.split(",").map(Number), Number(values["runs-full"]), say);
} catch (error) {
  if (!(error instanceof LabError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
