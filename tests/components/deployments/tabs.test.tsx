/** Deployments in several tabs: this one, and a channel in place of another. */
import { screen } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Task } from "#contract/entities.ts";
import type { TabMessage } from "#web/browser/tabs.ts";
import { specialHosts } from "#mocks/deployment-scenarios.ts";
import { sampleUpdate } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { submitUpdate } from "#mocks/deployments.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { failedTask, until, useStubStream } from "./live-scene.ts";
import { StubEventSource } from "./stub-event-source.ts";

const backend = useBackend();
const username = participant.asn;

useStubStream();

interface OtherTab {
  readonly channel: BroadcastChannel;
  /** The states of the deployment that it received. */
  readonly received: () => readonly string[];
}

function openOtherTab(): OtherTab {
  const channel = new BroadcastChannel("peerdeck");
  onTestFinished(() => channel.close());
  const received: string[] = [];
  channel.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === "task" && data.username === username) received.push(data.task.status);
  });
  return { channel, received: () => received };
}

/** Opens the screen of a deployment that does not end by itself. */
async function openDeployment(): Promise<string> {
  backend.state.loggedInAs = username;
  const { taskID } = submitUpdate(backend.state, username, {
    ...sampleUpdate,
    remote_ip: specialHosts.endless,
  });
  await openApp(`/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=${taskID}`);
  await screen.findByText("waiting");
  return taskID;
}

/** Another tab is the leader. Locks of requests are granted. */
function requestLock(name: string, _: unknown, run?: () => unknown): unknown {
  return name.startsWith("peerdeck-optional:") ? run?.() : new Promise<never>(() => undefined);
}

describe("the end of a deployment", () => {
  it("is shown in a tab without the event stream whose own polls get no response", async () => {
    Object.defineProperty(navigator, "locks", { value: { request: requestLock }, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(navigator, "locks"));
    const { channel } = openOtherTab();
    const taskID = await openDeployment();
    await until(() => backend.sent("getTasks").length > 0);
    backend.state.hanging.push("getTaskStatus");
    const send = (task: Task) => channel.postMessage({ type: "task", username, task } satisfies TabMessage);
    send({ ...failedTask(taskID), status: "waiting", quip: "Sent by the other tab …" });
    await screen.findByText("Sent by the other tab …");
    vi.advanceTimersByTime(60_000);
    send(failedTask(taskID));
    expect(await screen.findByRole("heading", { name: "Failed" })).toBeTruthy();
    expect(screen.getByText("The node refused.")).toBeTruthy();
    expect(StubEventSource.opened).toEqual([]);
  });

  it("is sent to other tabs by the tab whose poll gets the response", async () => {
    const { received } = openOtherTab();
    const taskID = await openDeployment();
    await until(() => vi.getTimerCount() > 0);
    backend.reply("getTaskStatus", failedTask(taskID));
    vi.advanceTimersByTime(5_000);
    expect(await screen.findByRole("heading", { name: "Failed" })).toBeTruthy();
    await until(() => received().includes("failed"));
  });

  it("is sent to other tabs by the tab that has the event stream", async () => {
    const { received } = openOtherTab();
    const taskID = await openDeployment();
    await until(() => StubEventSource.opened.length === 1);
    const [stream] = StubEventSource.opened;
    stream?.say("hello", { username });
    stream?.say("task", failedTask(taskID));
    expect(await screen.findByRole("heading", { name: "Failed" })).toBeTruthy();
    await until(() => received().includes("failed"));
    expect(received().filter((status) => status === "failed")).toHaveLength(1);
  });
});
