/**
 * `npm run bench:deploy`: measures the time from Submit to Established in the lab, and what edits do to running tunnels.
 *
 * Prints figures without asserting them, because a busy machine misses targets without a defect.
 */
import { parseArgs } from "node:util";
import { LabError } from "#lab/network.ts";
import { assertRequirements } from "#lab/requirements.ts";
import { openBench } from "./bench.ts";
import { describeMachine, print } from "./figures.ts";
import { fillNode } from "./fill-node.ts";
import { timeEdits } from "./time-edits.ts";
import { timeLater } from "./time-later.ts";
import { timePeerings } from "./time-peerings.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    "runs-full": { type: "string", default: "5" },
    peers: { type: "string", default: "10,100,1000" },
    /** Runs of each kind of a participant whose side comes up later. */
    "runs-later": { type: "string", default: "6" },
    only: { type: "string", default: "submit,edits,full,later" },
    /** Does not wait for a quiet neighbour: shows that the tool works, and its figures mean nothing. */
    hurry: { type: "boolean", default: false },
  },
});

try {
  assertRequirements();
  print(`${describeMachine()}\n`);
  await using bench = await openBench(values.hurry);
  const only = new Set(values.only.split(","));
  const sizes = values.peers.split(",").map(Number);
  if (only.has("submit")) await timePeerings(bench, Number(values.runs));
  if (only.has("edits")) await timeEdits(bench);
  if (only.has("full")) await fillNode(bench, sizes, Number(values["runs-full"]));
  if (only.has("later")) await timeLater(bench, Number(values["runs-later"]));
} catch (error) {
  if (!(error instanceof LabError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
