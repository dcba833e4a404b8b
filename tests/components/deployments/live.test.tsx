import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { submitUpdate } from "../../../src/mocks/network.ts";
import { specialHosts } from "../../../src/mocks/outcomes.ts";
import { addPeering, sampleUpdate } from "../../../src/mocks/samples.ts";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { StubEventSource } from "./stub-event-source.ts";

const backend = useBackend();

beforeEach(() => {
  StubEventSource.opened = [];
  vi.stubGlobal("EventSource", StubEventSource);
  // Whatever is polled is polled by hand.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => void setTimeout(resolve, 20));
}

async function openWithStream(address: string) {
  backend.state().signedIn = participant.asn;
  await openApp(address);
  await until(() => StubEventSource.opened.length === 1);
  const [stream] = StubEventSource.opened;
  if (!stream) throw new Error("no stream");
  return stream;
}

function deploy(): string {
  const update = { ...sampleUpdate, remote_ip: specialHosts.endless };
  return submitUpdate(backend.state(), participant.asn, update).taskID;
}

const ended = (taskID: string) => ({
  status: "failed",
  taskID,
  quip: "",
  node: "syd01",
  kind: "deploy",
  steps: [],
  reason: "The node refused.",
});

describe("the stream of events", () => {
  it("ends the deployment screen the moment the deployment does", async () => {
    const taskID = deploy();
    const stream = await openWithStream(
      `/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=${taskID}`,
    );
    expect(stream.url).toBe("/api/events");
    await screen.findByText("waiting");
    stream.say("hello", { username: participant.asn });
    stream.say("task", ended(taskID));
    expect(await screen.findByRole("heading", { name: "Failed" })).toBeTruthy();
    expect(screen.getByText("The node refused.")).toBeTruthy();
  });

  it("makes the dashboard ask anew when a peering changes, and when it was gone for a while", async () => {
    addPeering(backend.state());
    const stream = await openWithStream("/manager");
    await screen.findByText("OK", { exact: true });
    const asked = () => backend.sent("getPeerStatus").length;
    stream.say("hello", { username: participant.asn });
    const before = asked();
    addPeering(backend.state(), {}, "Down");
    stream.say("peering", { node: "syd01" });
    expect(await screen.findByText("Down", { exact: true })).toBeTruthy();
    expect(asked()).toBe(before + 1);
    stream.fail(0);
    stream.say("hello", { username: participant.asn });
    await until(() => asked() === before + 2);
  });

  it("is not believed before it says whose it is, nor where it is somebody else's", async () => {
    const taskID = deploy();
    const stream = await openWithStream(
      `/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=${taskID}`,
    );
    await screen.findByText("waiting");
    stream.say("task", ended(taskID));
    stream.say("hello", { username: "4242420002" });
    expect(stream.readyState).toBe(StubEventSource.CLOSED);
    stream.say("task", ended(taskID));
    stream.say("task", "no task");
    expect(screen.queryByRole("heading", { name: "Failed" })).toBeNull();
    expect(screen.getByText("waiting")).toBeTruthy();
  });

  it.each([
    ["is refused", (stream: StubEventSource) => stream.fail(StubEventSource.CLOSED)],
    ["is somebody else's", (stream: StubEventSource) => stream.say("hello", { username: "4242420002" })],
  ])("that %s is tried again after a pause", async (_, happens) => {
    const stream = await openWithStream("/manager");
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    happens(stream);
    vi.advanceTimersByTime(9_999);
    expect(StubEventSource.opened.length).toBe(1);
    vi.advanceTimersByTime(1);
    expect(StubEventSource.opened.length).toBe(2);
    StubEventSource.opened[1]?.fail(StubEventSource.CLOSED);
    vi.advanceTimersByTime(19_999);
    expect(StubEventSource.opened.length).toBe(2);
    vi.advanceTimersByTime(1);
    expect(StubEventSource.opened.length).toBe(3);
  });
});
