/**
 * Starts the mock backend in the browser, for the web app alone (`npm run dev:mock`).
 *
 * The state survives a reload in the tab's session storage. It can be steered from the address:
 * `#mock=failing:getPeerStatus`, `#mock=hanging:getPeerStatus`, `#mock=empty`, `#mock=reset`.
 */
import { setupWorker } from "msw/browser";
import { type CallName, calls } from "../contract/calls.ts";
import { createHandlers } from "./handlers.ts";
import { sampleState, signedInState } from "./samples.ts";
import type { MockState } from "./state.ts";

const storageKey = "peerdeck-mock";

export async function startMocks(): Promise<void> {
  const state = steer(restore(), new URLSearchParams(location.hash.slice(1)).get("mock"));
  const keep = () => sessionStorage.setItem(storageKey, JSON.stringify(state));
  keep();
  const worker = setupWorker(...createHandlers(state, { onAnswered: keep, delay: 150 }));
  await worker.start({ quiet: true, onUnhandledFrame: "bypass" });
}

function restore(): MockState {
  const kept = sessionStorage.getItem(storageKey);
  return kept === null ? sampleState() : (JSON.parse(kept) as MockState);
}

function steer(state: MockState, wish: string | null): MockState {
  const [kind = "none", names = ""] = (wish ?? "none").split(":");
  const named = names.split(",").filter((name): name is CallName => name in calls);
  switch (kind) {
    case "failing":
      return { ...state, failing: named, hanging: [] };
    case "hanging":
      return { ...state, hanging: named, failing: [] };
    case "empty":
      return signedInState();
    case "reset":
      return sampleState();
    default:
      return { ...state, failing: [], hanging: [] };
  }
}
