/** A clock that runs only when a test says so, and a record of the calls that were made on it. */
import { vi } from "vitest";
import { nextTask } from "./screen.ts";

export interface StoppedClock {
  readonly now: () => number;
  /** When each request began, in milliseconds of this clock. */
  readonly requests: readonly number[];
  /** When each aborted request began, and how many milliseconds it lasted. */
  readonly aborted: ReadonlyArray<readonly [startedAt: number, lastedMs: number]>;
  /** Waits until no request is pending. */
  readonly settle: () => Promise<void>;
  /** Lets time pass. Responses take none of it, however slow the machine is. */
  readonly pass: (ms: number, responses?: "arrive" | "hang") => Promise<void>;
}

const stepMs = 100;

/**
 * Stops the clock of the app until the end of the row. Records the requests to `path` whose body contains `bodyPart`: an
 * app that an earlier row has closed may still send one.
 */
export function stopClock(path: string, bodyPart = ""): StoppedClock {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  // The signal of the platform runs on a clock that cannot be stopped.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("The time is up.", "TimeoutError")), ms);
    return controller.signal;
  });
  const requests: number[] = [];
  const aborted: Array<readonly [number, number]> = [];
  const pending = new Set<object>();
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", async (input: URL, init: RequestInit) => {
    const startedAt = Date.now();
    const requestBody = typeof init.body === "string" ? init.body : "";
    const isRecorded = input.pathname === path && requestBody.includes(bodyPart);
    if (!isRecorded) return fetch(input, init);
    requests.push(startedAt);
    init.signal?.addEventListener("abort", () => aborted.push([startedAt, Date.now() - startedAt]));
    pending.add(init);
    try {
      return await fetch(input, init);
    } finally {
      pending.delete(init);
    }
  });
  const settle = async () => {
    do await nextTask();
    while (pending.size > 0);
    // The app reads the response and renders.
    for (let task = 0; task < 5; task += 1) await nextTask();
  };
  const pass: StoppedClock["pass"] = async (ms, responses = "arrive") => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await vi.advanceTimersByTimeAsync(stepMs);
      if (responses === "arrive") await settle();
    }
  };
  return { now: () => Date.now(), requests, aborted, settle, pass };
}
