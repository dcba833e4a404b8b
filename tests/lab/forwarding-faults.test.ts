/** A fault on the node and one elsewhere, others with each commit. `npm run campaign:forwarding` plants all (docs/reliability.md). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { faults } from "../tools/campaigns/forwarding/faults.ts";
import { hasPassed, runFault, settle } from "../tools/campaigns/forwarding/run-fault.ts";
import { openScene, type Scene } from "../tools/campaigns/forwarding/scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(10);
});
afterAll(() => scene[Symbol.asyncDispose]());

const quick = faults.filter(({ isQuick, mayPass }) => isQuick === true && mayPass !== true);
const ours = quick.filter(({ side }) => side === "ours");
const others = quick.filter(({ side }) => side !== "ours");

test.each([...oneOfCommit(ours), ...oneOfCommit(others)])(
  "$title: it is named on the right side, and nothing about the others",
  async (fault) => {
    const result = await runFault(scene, fault, await settle(scene));
    expect({ ...result, hasPassed: hasPassed(result) }).toMatchObject({ wrong: [], hasPassed: true });
  },
);
