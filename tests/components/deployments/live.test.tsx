import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Task } from "#contract/entities.ts";
import { peerStatusOf } from "#mocks/reads.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import {
  failedTask,
  followOtherTab,
  openedStream,
  openOtherTab,
  StubEventSource,
  submitTo,
  until,
  useStoppedIntervals,
  useStubStream,
} from "./live-scene.ts";
import { stubNavigator } from "../../support/window-properties.ts";
import { openView } from "../manager/open-view.tsx";

const backend = useBackend();
const username = participant.asn;

useStubStream();
useStoppedIntervals();

const reject = (stream: StubEventSource | undefined) => stream?.fail(StubEventSource.CLOSED);

/** Lets seconds pass; returns how many of these requests they caused. */
async function requestsWithin(seconds: number, name: "getPeerStatus" | "getTaskStatus") {
  const before = backend.sent(name).length;
  vi.advanceTimersByTime(seconds * 1_000);
  await new Promise((resolve) => void setTimeout(resolve, 50));
  return backend.sent(name).length - before;
}

const polls = (seconds: number) => requestsWithin(seconds, "getPeerStatus");

async function openDashboard() {
  addPeering(backend.state);
  await openView(backend, "/manager", "Dashboard");
  await screen.findByText("OK", { exact: true });
}

/** Opens the screen of a deployment that does not end by itself. */
async function openDeployment(): Promise<string> {
  const taskID = submitTo(backend);
  backend.state.loggedInAs = username;
  await openApp(`/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=${taskID}`);
  await screen.findByText("waiting");
  return taskID;
}

/** The status of the sample peering, as the backend returns it. */
function sampleStatus() {
  const [peering] = backend.state.peerings;
  if (!peering) throw new Error("no peering");
  return peerStatusOf(backend.state, peering);
}

function stopTimeouts(): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
}

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Whether each stream so far is open, the first one first. */
const isOpen = () => StubEventSource.opened.map(({ readyState }) => readyState !== StubEventSource.CLOSED);

describe("the stream of events", () => {
  it("shows each step and the end of a deployment at once, and a poll that was sent before takes nothing back", async () => {
    const taskID = await openDeployment();
    const stream = await openedStream();
    expect(stream.url).toBe("/api/events");
    stream.say("hello", { username });
    const polled = Promise.withResolvers<void>();
    const earlier = { ...failedTask(taskID), status: "waiting", reason: "" };
    backend.reply("getTaskStatus", async () => {
      await polled.promise;
      return Response.json({ ...earlier, quip: "An older response" });
    });
    expect(await requestsWithin(5, "getTaskStatus")).toBe(1);
    stream.say("task", { ...earlier, steps: ["Called syd01.", "Wrote the files."] });
    await screen.findByText("Wrote the files.");
    polled.resolve();
    await new Promise((resolve) => void setTimeout(resolve, 100));
    expect(screen.getByText("Wrote the files.")).toBeTruthy();
    backend.reply("getTaskStatus", { ...earlier, steps: ["Called syd01, attempt 2."] });
    vi.advanceTimersByTime(5_000);
    expect(await screen.findByText("Called syd01, attempt 2.")).toBeTruthy();
    expect(screen.queryByText("Wrote the files.")).toBeNull();
    stream.say("task", failedTask(taskID));
    expect(await screen.findByRole("heading", { name: "Failed" })).toBeTruthy();
    expect(screen.getByText("The node refused.")).toBeTruthy();
  });

  it("makes the dashboard refetch after events without a usable status, and after it was disconnected", async () => {
    await openDashboard();
    const stream = await openedStream();
    let requests = backend.sent("getPeerStatus").length;
    const refetched = async () => {
      requests += 1;
      await until(() => backend.sent("getPeerStatus").length === requests);
    };
    stream.say("hello", { username });
    addPeering(backend.state, {}, "Down");
    stream.say("peering", { node: "syd01" });
    expect(await screen.findByText("Down", { exact: true })).toBeTruthy();
    await refetched();
    // One that this build cannot parse, and one of a peering that is not on the dashboard yet.
    stream.say("peering", { node: "syd01", status: { ...sampleStatus(), bgp_status: "Sleeping" } });
    await refetched();
    stream.say("peering", { node: "de01", status: { ...sampleStatus(), node: "de01" } });
    await refetched();
    stream.fail(0);
    stream.say("hello", { username });
    await refetched();
  });

  it("brings the status of a peering to the dashboard without a request, also by another tab's broadcast", async () => {
    await openDashboard();
    const stream = await openedStream();
    const before = backend.sent("getPeerStatus").length;
    stream.say("hello", { username });
    const status = sampleStatus();
    stream.say("peering", { node: "syd01", status: { ...status, bgp_status: "Down" } });
    expect(await screen.findByText("Down", { exact: true })).toBeTruthy();
    openOtherTab().send({ type: "peering", username, node: "syd01", status });
    expect(await screen.findByText("OK", { exact: true })).toBeTruthy();
    expect(backend.sent("getPeerStatus").length).toBe(before);
  });

  describe("and polling", () => {
    beforeEach(() => {
      vi.useRealTimers();
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    });

    it("slows down on the dashboard to once a minute while the stream is connected", async () => {
      await openDashboard();
      const stream = await openedStream();
      expect(await polls(10)).toBe(1);
      stream.say("hello", { username });
      // The server has not read every node yet: one more poll at the usual interval.
      expect(await polls(11)).toBe(1);
      expect(await polls(40)).toBe(0);
      // An event does not put the next poll off.
      stream.say("peering", { node: "syd01", status: { ...sampleStatus(), latency: "3.0 ms" } });
      expect(await polls(19)).toBe(0);
      expect(await polls(1)).toBe(1);
      expect(await polls(30)).toBe(0);
      stream.fail(0);
      expect(await polls(0)).toBe(0);
      expect(await polls(10)).toBe(1);
      expect(await polls(10)).toBe(1);
    });

    it("slows down too while another tab has the stream", async () => {
      followOtherTab();
      await openDashboard();
      await until(() => backend.sent("getTasks").length > 0);
      const leader = openOtherTab();
      const report = (isConnected: boolean) => leader.send({ type: "event-stream", username, isConnected });
      report(true);
      expect(await polls(0)).toBe(0);
      expect(await polls(11)).toBe(1);
      expect(await polls(50)).toBe(0);
      report(false);
      expect(await polls(0)).toBe(0);
      expect(await polls(10)).toBe(1);
      expect(StubEventSource.opened).toEqual([]);
    });

    it("continues every five seconds for a deployment", async () => {
      await openDeployment();
      const stream = await openedStream();
      stream.say("hello", { username });
      await requestsWithin(1, "getTaskStatus");
      for (let count = 0; count < 3; count += 1) expect(await requestsWithin(5, "getTaskStatus")).toBe(1);
    });
  });

  it("is ignored before it names its AS, and when it is that of another AS", async () => {
    const taskID = await openDeployment();
    const stream = await openedStream();
    stream.say("task", failedTask(taskID));
    stream.say("hello", { username: "4242420002" });
    expect(stream.readyState).toBe(StubEventSource.CLOSED);
    stream.say("task", failedTask(taskID));
    stream.say("task", "no task");
    expect(screen.queryByRole("heading", { name: "Failed" })).toBeNull();
    expect(screen.getByText("waiting")).toBeTruthy();
  });

  it("that is rejected, or belongs to another AS, is retried within seconds, then after pauses that grow", async () => {
    await openView(backend, "/manager", "Dashboard");
    const stream = await openedStream();
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const random = vi.spyOn(Math, "random");
    onTestFinished(() => random.mockRestore());
    /** Lets the newest stream end, and expects another one after exactly this time. */
    const expectRetry = async (
      spread: number,
      ms: number,
      fail: (stream: StubEventSource | undefined) => void,
    ) => {
      random.mockReturnValue(spread);
      const { length } = StubEventSource.opened;
      fail(StubEventSource.opened.at(-1));
      // The page asks for the status of the response first.
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
      vi.advanceTimersByTime(ms - 1);
      expect(StubEventSource.opened.length).toBe(length);
      vi.advanceTimersByTime(1);
      expect(StubEventSource.opened.length).toBe(length + 1);
    };
    // Half to one and a half times 2 s, so that the pages of a server that starts again do not come together.
    await expectRetry(0, 1_000, reject);
    await expectRetry(1, 6_000, (last) => last?.say("hello", { username: "4242420002" }));
    for (const ms of [8_000, 16_000, 32_000, 64_000, 128_000]) await expectRetry(0.5, ms, reject);
    // Another one that begins ends the series.
    const beginAndReject = (last: StubEventSource | undefined) => {
      last?.say("hello", { username });
      reject(last);
    };
    await expectRetry(1, 3_000, beginAndReject);
    // A server without streams is not asked for one within a minute.
    vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) =>
      input === stream.url ? new Response(null, { status: 404 }) : backend.fetch(input, init),
    );
    await expectRetry(0, 60_000, beginAndReject);
    expect(stream.readyState).toBe(StubEventSource.CLOSED);
  });

  describe("of a tab that is hidden", () => {
    afterEach(() => void vi.restoreAllMocks());

    it("is closed after ten seconds without locks, and its next one catches up", async () => {
      addPeering(backend.state);
      await openView(backend, "/manager", "Dashboard");
      const stream = await openedStream();
      stream.say("hello", { username });
      stopTimeouts();
      show("hidden");
      vi.advanceTimersByTime(9_999);
      show("visible");
      vi.advanceTimersByTime(60_000);
      expect(isOpen()).toEqual([true]);
      show("hidden");
      vi.advanceTimersByTime(10_000);
      expect(isOpen()).toEqual([false]);
      vi.advanceTimersByTime(600_000);
      expect(isOpen()).toEqual([false]);
      show("visible");
      await expect.poll(isOpen).toEqual([false, true]);
      const before = backend.sent("getPeerStatus").length;
      StubEventSource.opened[1]?.say("hello", { username });
      await expect.poll(() => backend.sent("getPeerStatus").length).toBeGreaterThan(before);
    });

    it("is not opened before the tab is shown for the first time", async () => {
      show("hidden");
      await openView(backend, "/manager", "Dashboard");
      await expect.poll(() => backend.sent("getTasks").length).toBeGreaterThan(0);
      expect(isOpen()).toEqual([]);
      show("visible");
      await expect.poll(isOpen).toEqual([true]);
    });

    it("stays open with locks, because no other tab has one", async () => {
      stubNavigator({
        locks: { request: async (...rest: readonly unknown[]) => (rest.at(-1) as () => unknown)() },
      });
      await openView(backend, "/manager", "Dashboard");
      await openedStream();
      stopTimeouts();
      show("hidden");
      vi.advanceTimersByTime(600_000);
      expect(isOpen()).toEqual([true]);
    });
  });
});

/** The states of the deployment that another tab receives. */
function statesInOtherTab() {
  const { received } = openOtherTab();
  return () =>
    received.flatMap((message) =>
      message.type === "task" && message.username === username ? [message.task.status] : [],
    );
}

describe("the end of a deployment", () => {
  it("is shown in a tab without the event stream whose own polls get no response", async () => {
    followOtherTab();
    const otherTab = openOtherTab();
    const taskID = await openDeployment();
    await until(() => backend.sent("getTasks").length > 0);
    backend.state.hanging.push("getTaskStatus");
    const send = (task: Task) => otherTab.send({ type: "task", username, task });
    send({ ...failedTask(taskID), status: "waiting", quip: "Sent by the other tab …" });
    await screen.findByText("Sent by the other tab …");
    vi.advanceTimersByTime(60_000);
    send(failedTask(taskID));
    expect(await screen.findByRole("heading", { name: "Failed" })).toBeTruthy();
    expect(screen.getByText("The node refused.")).toBeTruthy();
    expect(StubEventSource.opened).toEqual([]);
  });

  it("is sent to other tabs by the tab whose poll gets the response", async () => {
    const received = statesInOtherTab();
    const taskID = await openDeployment();
    await until(() => vi.getTimerCount() > 0);
    backend.reply("getTaskStatus", failedTask(taskID));
    vi.advanceTimersByTime(5_000);
    expect(await screen.findByRole("heading", { name: "Failed" })).toBeTruthy();
    await until(() => received().includes("failed"));
  });

  it("is sent to other tabs by the tab that has the event stream", async () => {
    const received = statesInOtherTab();
    const taskID = await openDeployment();
    const stream = await openedStream();
    stream.say("hello", { username });
    stream.say("task", failedTask(taskID));
    expect(await screen.findByRole("heading", { name: "Failed" })).toBeTruthy();
    await until(() => received().includes("failed"));
    expect(received().filter((status) => status === "failed")).toHaveLength(1);
  });
});
