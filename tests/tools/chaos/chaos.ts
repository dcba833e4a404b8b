/**
 * `npm run chaos:pwa`: random sequences of events on a phone against the built app and the demo. docs/reliability.md says what
 * is checked.
 */
import { join } from "node:path";
import { runCampaign } from "../campaigns/campaign.ts";
import { buildVersions } from "./builds.ts";
import { prepareData } from "./environment.ts";
import { drawSequence, runSequence, shrinkSequence } from "./sequence.ts";

const length = 30;

await runCampaign({
  name: "pwa",
  script: "chaos:pwa",
  variants: [""],
  jobs: 2,
  flags: ["shrink"],
  open: async () => {
    const versions = await buildVersions(["a", "b"]);
    const data = await prepareData(versions[0] ?? "");
    return {
      run: async ({ seed, logs, flags }) => {
        const sequence = drawSequence(seed, length);
        const options = { versions, data: data.folder, screenshot: join(logs, "screen.png") };
        const { steps, failure } = await runSequence(sequence, options);
        const counts = { steps: steps.length };
        if (failure === null || !flags.has("shrink")) return { steps, failure, counts };
        const short = await shrinkSequence(sequence, options);
        return { steps: [...steps, "", "Shorter:", ...short.map(({ name }) => name)], failure, counts };
      },
      [Symbol.asyncDispose]: () => data[Symbol.asyncDispose](),
    };
  },
});
