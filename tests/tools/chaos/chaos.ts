/**
 * `npm run chaos:pwa`: random sequences of events on a phone against the built app and the demo. docs/reliability.md says what
 * is checked. A failed sequence that runs alone is shortened.
 */
import { join } from "node:path";
import { runCampaign } from "../campaigns/campaign.ts";
import { buildVersions } from "./builds.ts";
import { prepareData } from "./environment.ts";
import { drawSequence, runSequence, shrinkSequence } from "./sequence.ts";

const length = 30;

const versions = await buildVersions(["a", "b"]);
await using data = await prepareData(versions[0] ?? "");

await runCampaign({
  script: "chaos:pwa",
  jobs: 2,
  run: async ({ seed, logs, isAlone }) => {
    const sequence = drawSequence(seed, length);
    const options = { versions, data: data.folder, screenshot: join(logs, "screen.png") };
    const { steps, failure } = await runSequence(sequence, options);
    const counts = { steps: steps.length };
    if (failure === null || !isAlone) return { steps, failure, counts };
    const short = await shrinkSequence(sequence, options);
    return { steps: [...steps, "", "Shorter:", ...short.map(({ name }) => name)], failure, counts };
  },
});
