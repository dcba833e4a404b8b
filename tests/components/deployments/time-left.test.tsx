/** What the screen of a running deployment says about the time left, and about leaving it. */
import { act, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Task } from "#contract/entities.ts";
import type { DeploymentType } from "#contract/app/screens.ts";
import { participant } from "#mocks/state.ts";
import { serverNow } from "#web/api/server-clock.ts";
import { waiting } from "../../spec/scenarios/deployment.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { stubBrowserApis } from "../notifications/stub-browser.ts";
import { openedStream, type StubEventSource, useStubStream } from "./live-scene.ts";

const backend = useBackend();
const hour = 3_600_000;

useStubStream();
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** Opens the screen of a waiting task. The device's clock is an hour behind the server's. */
async function openWaiting(type: DeploymentType = "edit"): Promise<StubEventSource> {
  backend.state.loggedInAs = participant.asn;
  backend.reply("getTaskStatus", () =>
    Response.json(waiting, { headers: { date: new Date(Date.now() + hour).toUTCString() } }),
  );
  await openApp(`/manager/updatepeer/${type}?node=syd01&step=awaitingDeployment&task=t-1`);
  await screen.findByText("waiting");
  const stream = await openedStream();
  stream.say("hello", { username: participant.asn });
  return stream;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Opens the screen and stops the clock. */
async function openStopped(type?: DeploymentType) {
  const stream = await openWaiting(type);
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  /** Sends a state of the task by event. */
  return async (task: Partial<Task>): Promise<void> => {
    stream.say("task", { ...waiting, ...task });
    await pass(0);
  };
}

const sentence = () => screen.queryByRole("timer")?.parentElement?.textContent;

describe("the time left", () => {
  it("runs by the server's clock, without announcing every second, until it is over", async () => {
    const say = await openStopped();
    expect(screen.queryByRole("timer")).toBeNull();
    expect(Math.abs(serverNow() - Date.now())).toBeGreaterThan(hour / 2);
    await say({ deadline: serverNow() + 100_000 });
    expect(sentence()).toBe(
      "The node has not replied yet. If it does not reply within 1:40, the deployment fails and nothing changes.",
    );
    expect(screen.getByRole("timer").getAttribute("aria-live")).toBe("off");
    await pass(1_000);
    expect(screen.getByRole("timer").textContent).toBe("1:39");
    // Nor after the node has reported steps.
    const reported = [
      "Checked and saved the change.",
      "Called syd01 to deploy the peering.",
      "Removed the tunnel.",
    ];
    await say({ deadline: serverNow() + 99_000, steps: reported });
    expect(sentence()).toBe(
      "If the node has not finished within 1:39, the deployment fails and nothing changes.",
    );
    await pass(90_000);
    expect(screen.getByRole("timer").textContent).toBe("0:09");
    // It does not claim that the node has not replied after an attempt that failed.
    const reason = "syd01 responded with an error. Trying again…";
    const steps = ["Called syd01 to deploy the peering, attempt 2."];
    await say({ deadline: serverNow() + 30_000, reason, steps });
    expect(screen.getByText(reason)).toBeTruthy();
    expect(screen.getByText("Called syd01 to deploy the peering, attempt 2.")).toBeTruthy();
    expect(sentence()).toBe("If no attempt succeeds within 0:30, the deployment fails and nothing changes.");
    await pass(30_000);
    expect(screen.queryByRole("timer")).toBeNull();
    expect(screen.getByText("Time is up. The last attempt is finishing.")).toBeTruthy();
  });

  it("says what happens then to a deletion", async () => {
    const say = await openStopped("delete");
    await say({ deadline: serverNow() + 61_000, kind: "delete" });
    expect(sentence()).toMatch(/within 1:01, the deletion fails and the peering stays active\.$/);
  });
});

describe("the way to leave", () => {
  it("promises nothing about a task that the server does not know", async () => {
    stubBrowserApis("granted");
    backend.state.loggedInAs = participant.asn;
    await openApp("/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=t-1");
    await screen.findByText(/^The server does not know this task\./);
    expect(screen.getByRole("link", { name: "dashboard" }).getAttribute("href")).toBe("/manager");
    expect(screen.queryByText(/^You can leave this page/)).toBeNull();
  });

  it.each([
    ["granted", "delete", "You can leave this page: we notify you when the deletion finishes."],
    [
      "default",
      "new",
      "You can leave this page. The deployment continues, and the dashboard links back here.",
    ],
  ] as const)("with notifications %s (%s)", async (permission, type, text) => {
    stubBrowserApis(permission);
    await openWaiting(type);
    expect(screen.getByText(/^You can leave this page/).textContent).toBe(text);
    expect(screen.getByRole("link", { name: "Go to the dashboard" }).getAttribute("href")).toBe("/manager");
  });
});
