import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryUpdate } from "../support/fixtures/arbitrary-update.ts";
import { takeUpdate } from "../support/update-outcome.ts";

/** `npm run campaign:inputs` takes millions. */
const runs = 2_000;

test("an update is rejected by one of its fields, or changes only values in the rendered files", () => {
  const seen = { accepted: 0, rejected: 0 };
  fc.assert(
    fc.property(arbitraryUpdate, (update) => {
      const { isAccepted, problems } = takeUpdate(update);
      seen[isAccepted ? "accepted" : "rejected"] += 1;
      expect(problems).toEqual([]);
    }),
    { numRuns: runs },
  );
  // Both outcomes occur.
  expect(seen.accepted).toBeGreaterThan(runs / 10);
  expect(seen.rejected).toBeGreaterThan(runs / 10);
});
