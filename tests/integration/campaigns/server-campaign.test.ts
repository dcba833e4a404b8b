/** A short sequence on one of the databases, another one with each commit. `npm run campaign:server` runs hundreds of longer ones (docs/reliability.md). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { oneOfCommit } from "../../support/share-of-commit.ts";
import { type FaultName, faults } from "../../tools/campaigns/server/faults.ts";
import { runSequence } from "../../tools/campaigns/server/sequence.ts";

const sequences = [
  ["sqlite", ["kill", "killTwice"]],
  ["postgres", ["kill", "switchOver", "failOver"]],
] as const satisfies ReadonlyArray<readonly [string, readonly FaultName[]]>;

test.each(oneOfCommit(sequences))(
  "nothing is lost or doubled on %s: %s",
  { timeout: 240_000 },
  async (variant, names) => {
    const logs = await mkdtemp(join(tmpdir(), "peerdeck-campaign-"));
    const { failure, counts } = await runSequence({
      seed: 1,
      variant,
      rounds: names.length,
      logs,
      faults: names.map((name) => faults[name]),
    });
    // The logs of a failure are kept.
    if (failure === null) onTestFinished(() => rm(logs, { recursive: true }));
    expect({ failure, logs }).toEqual({ failure: null, logs });
    expect(counts["deployments accepted"]).toBeGreaterThan(0);
  },
);
