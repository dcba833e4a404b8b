/** A page whose event stream the test writes, and whose polls wait for the test. */
import { afterEach, beforeEach, onTestFinished, vi } from "vitest";
import type { Task } from "#contract/entities.ts";
import { submitUpdate } from "#mocks/deployments.ts";
import { specialHosts } from "#mocks/deployment-scenarios.ts";
import { sampleUpdate } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import type { TabMessage } from "#web/browser/tabs.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { stubNavigator } from "../../support/window-properties.ts";

/** An event stream whose events the test sends. */
export class StubEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: StubEventSource[] = [];
  readyState = 1;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    StubEventSource.opened.push(this);
  }

  close() {
    this.readyState = StubEventSource.CLOSED;
  }

  say(name: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  fail(readyState: number) {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
}

/** Stubs the event stream in each test of the file. */
export function useStubStream(): void {
  beforeEach(() => {
    StubEventSource.opened = [];
    vi.stubGlobal("EventSource", StubEventSource);
  });
}

/** Stops the intervals in each test of the file: polls wait for the test, everything else runs. */
export function useStoppedIntervals(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());
}

/** Waits in real time. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => void setTimeout(resolve, 20));
}

/** Waits until the app has opened its event stream. */
export async function openedStream(): Promise<StubEventSource> {
  await until(() => StubEventSource.opened.length > 0);
  const [stream, ...more] = StubEventSource.opened;
  if (!stream || more.length > 0) throw new Error("the app has opened several streams");
  return stream;
}

/** Grants every lock but that of the leader tab. */
const requestLock = async (name: string, ...rest: readonly unknown[]): Promise<unknown> =>
  name === "peerdeck-leader-tab" ? new Promise<never>(() => undefined) : (rest.at(-1) as () => unknown)();

/** Makes another tab the leader, which has the event stream. Every other lock is free. */
export function followOtherTab(): void {
  stubNavigator({ locks: { request: requestLock } });
}

/** Another tab of the participant. */
export function openOtherTab() {
  const channel = new BroadcastChannel("peerdeck");
  onTestFinished(() => channel.close());
  const received: TabMessage[] = [];
  channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => void received.push(data));
  return { received, send: (message: TabMessage) => channel.postMessage(message) };
}

/** Submits a deployment, of which the mock backend decides by the host how it ends. Returns the task's ID. */
export function submitTo({ state }: Backend, remote_ip: string = specialHosts.endless): string {
  return submitUpdate(state, participant.asn, { ...sampleUpdate, remote_ip }).taskID;
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
