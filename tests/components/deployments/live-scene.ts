/** A page whose event stream the test writes, and whose polls wait for the test. */
import { afterEach, beforeEach, vi } from "vitest";
import type { Task } from "#contract/entities.ts";
import { StubEventSource } from "./stub-event-source.ts";

/** Stubs the event stream and stops the intervals before each test of the file. */
export function useStubStream(): void {
  beforeEach(() => {
    StubEventSource.opened = [];
    vi.stubGlobal("EventSource", StubEventSource);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Waits in real time. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => void setTimeout(resolve, 20));
}

/** The task of a deployment to syd01 that has failed. */
export const failedTask = (taskID: string): Task => ({
  status: "failed",
  taskID,
  quip: "",
  node: "syd01",
  kind: "deploy",
  steps: [],
  reason: "The node refused.",
  deadline: null,
});
