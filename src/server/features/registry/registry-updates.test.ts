import { expect, test, vi } from "vitest";
import { createLog } from "../../log.ts";
import type { CloneState } from "../../registry/clone/clone-state.ts";
import { createRegistryUpdates } from "./registry-updates.ts";

const minuteMs = 60_000;

test.each([
  ["15 minutes after a success", null, [0, 15, 30]],
  ["5 minutes after a failure", "fatal: no such remote", [0, 5, 10, 15, 20, 25, 30]],
])("the clone is updated at the start, and %s", async (_, problem, expected) => {
  vi.useFakeTimers({ now: 0 });
  try {
    // Another server's recent update does not replace the one at the start.
    const files = { commit: "a", files: "files-a", isRejected: false };
    let state: CloneState = { ...files, fetchedAt: 0, attemptedAt: -1, problem };
    const updates: number[] = [];
    await using loop = createRegistryUpdates({
      clone: {
        readState: async () => state,
        update: async () => {
          updates.push(Date.now() / minuteMs);
          state = { ...state, attemptedAt: Date.now() };
        },
      },
      clock: () => Date.now(),
      log: createLog("silent"),
    });
    loop.start();
    await vi.advanceTimersByTimeAsync(34 * minuteMs);
    expect(updates).toEqual(expected);
  } finally {
    vi.useRealTimers();
  }
});
