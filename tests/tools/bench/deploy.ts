/**
 * `npm run bench:deploy`: measures the time from Submit to Established in the lab.
 *
 * Prints figures without asserting them, because a busy machine misses targets without a defect.
 */
import { parseArgs } from "node:util";
import { LabError } from "#lab/network.ts";
import { assertRequirements } from "#lab/requirements.ts";
import { openBench } from "./bench.ts";
import { describeMachine, print } from "./figures.ts";
import { fillNode } from "./fill-node.ts";
import { timePeerings } from "./time-peerings.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    "runs-full": { type: "string", default: "5" },
    /** Empty: only the node as it is. */
    peers: { type: "string", default: "10,100,1000" },
    /** Does not wait for a quiet neighbour: shows that the tool works, and its figures mean nothing. */
    hurry: { type: "boolean", default: false },
  },
});

try {
  assertRequirements();
  print(`${describeMachine()}\n`);
  await using bench = await openBench(values.hurry);
  const runs = Number(values.runs);
  const sizes = values.peers.split(",").filter((size) => size !== "");
  if (runs > 0) await timePeerings(bench, runs);
  if (sizes.length > 0) await fillNode(bench, sizes.map(Number), Number(values["runs-full"]));
} catch (error) {
  if (!(error instanceof LabError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
