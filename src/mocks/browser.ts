/**
 * Starts the mock backend in the browser, for the web app alone (`npm run dev:mock`).
 *
 * The state survives a reload in the tab's session storage. The address chooses a scenario:
 * `#mock=failing:getPeerStatus`, `#mock=hanging:getPeerStatus`, `#mock=empty`, `#mock=rekey`, `#mock=reset`.
 */
import { setupWorker } from "msw/browser";
import { type CallName, calls } from "../contract/calls.ts";
import { createHandlers } from "./handlers.ts";
import { loggedInState, rekeyState, sampleState } from "./samples.ts";
import type { MockState } from "./state.ts";

const storageKey = "peerdeck-mock";

export async function startMocks(): Promise<void> {
  const state = applyScenario(restore(), new URLSearchParams(location.hash.slice(1)).get("mock"));
  const save = () => sessionStorage.setItem(storageKey, JSON.stringify(state));
  save();
  const worker = setupWorker(...createHandlers(state, { onResponse: save, delayMs: 150 }));
  await worker.start({ quiet: true, onUnhandledFrame: "bypass" });
}

function restore(): MockState {
  const stored = sessionStorage.getItem(storageKey);
  return stored === null ? sampleState() : (JSON.parse(stored) as MockState);
}

function applyScenario(state: MockState, scenario: string | null): MockState {
  const [kind = "none", names = ""] = (scenario ?? "none").split(":");
  const named = names.split(",").filter((name): name is CallName => name in calls);
  switch (kind) {
    case "failing":
      return { ...state, failing: named, hanging: [] };
    case "hanging":
      return { ...state, hanging: named, failing: [] };
    case "empty":
      return loggedInState();
    case "rekey":
      return rekeyState();
    case "reset":
      return sampleState();
    default:
      return { ...state, failing: [], hanging: [] };
  }
}
