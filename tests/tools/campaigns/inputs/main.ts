/**
 * `npm run campaign:inputs`: updates from participants, most of them hostile, through the rules and the renderers. Each
 * sequence takes 100,000.
 */
import fc from "fast-check";
import { arbitraryUpdate } from "#tests/support/fixtures/arbitrary-update.ts";
import { takeUpdate } from "#tests/support/update-outcome.ts";
import { type Outcome, runCampaign } from "../campaign.ts";

const updates = 100_000;

await runCampaign({ script: "campaign:inputs", run: async ({ seed }) => takeUpdates(seed) });

function takeUpdates(seed: number): Outcome {
  const counts = { updates, accepted: 0, rejected: 0 };
  const property = fc.property(arbitraryUpdate, (update) => {
    const { isAccepted, problems } = takeUpdate(update);
    counts[isAccepted ? "accepted" : "rejected"] += 1;
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
  const { failed, counterexample, errorInstance } = fc.check(property, { seed, numRuns: updates });
  return {
    counts,
    failure: failed ? String(errorInstance) : null,
    steps: failed ? [JSON.stringify(counterexample)] : [],
  };
}
