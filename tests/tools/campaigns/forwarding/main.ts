/**
 * `npm run campaign:forwarding`: plants faults on a node with four participants, one at a time, and checks that the agent names
 * each on the right side within two minutes, and nothing else. docs/reliability.md says what is checked.
 *
 * Arguments: `--only docker,mtu` plants these; `--quiet 10` is a run without a fault and with loss on one line instead, that
 * many minutes each; `--speed 10` lets the agent's clock run faster than those of BIRD and WireGuard; `--record` writes what the
 * agent observed to tests/fixtures/forwarding.
 */
import { parseArgs } from "node:util";
import { faults } from "./faults.ts";
import { runQuiet } from "./quiet.ts";
import { record } from "./recording.ts";
import { type FaultResult, hasPassed, runFault, settle } from "./run-fault.ts";
import { openScene } from "./scene.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    quiet: { type: "string" },
    speed: { type: "string", default: "1" },
    record: { type: "boolean", default: false },
  },
});
const print = (text: string) => process.stdout.write(`${text}\n`);

const only = values.only?.split(",");
const chosen = faults.filter(({ id }) => only?.includes(id) ?? values.quiet === undefined);
if (chosen.length !== (only?.length ?? chosen.length))
  throw new Error(`--only names faults of ${faults.map(({ id }) => id).join(", ")}`);

const count = { named: 0, wrong: 0 };
await using scene = await openScene(Number(values.speed));
print("fault | side | packets lost | named | after | cleared after | wrong");
for (const fault of chosen) {
  const before = await settle(scene);
  if (values.record && fault === chosen[0]) await record(scene, null);
  const result = await runFault(scene, fault, before, async () => {
    if (values.record) await record(scene, fault);
  });
  if (hasPassed(result)) count.named += 1;
  else count.wrong += 1;
  print(describe(result));
}
if (values.quiet !== undefined) {
  for (const { title, wrong } of await runQuiet(scene, 60 * Number(values.quiet), print)) {
    print(`${title}: ${wrong.length === 0 ? "ok" : wrong.join("; ")}`);
    if (wrong.length === 0) count.named += 1;
    else count.wrong += 1;
  }
}
print(`${count.named} named, ${count.wrong} wrong`);
if (count.wrong > 0) process.exitCode = 1;

function describe({ fault, lost, pairs, named, namedAfter, clearedAfter, wrong }: FaultResult): string {
  return [
    `${fault.id}: ${fault.title}`,
    fault.side === "either" ? "not to be told apart" : fault.side,
    `${lost} of ${pairs}`,
    named ?? "not named",
    named === null ? "" : `${namedAfter.toFixed(0)} s`,
    clearedAfter === null ? "not cleared" : `${clearedAfter.toFixed(0)} s`,
    wrong.length === 0 ? "" : `WRONG ${wrong.join("; ")}`,
  ].join(" | ");
}
