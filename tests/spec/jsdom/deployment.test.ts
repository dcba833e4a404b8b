import { expect } from "vitest";
import { calls } from "#contract/calls.ts";
import type { DeploymentType } from "#contract/app/screens.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type RowVisit, testRows } from "./rows.ts";
import { type StoppedClock, stopClock } from "./stopped-clock.ts";
import { deploying, waiting } from "../scenarios/deployment.ts";
import { deploymentRows } from "../table/deployment.ts";
import {
  byRole,
  expectAddress,
  expectShown,
  heading,
  main,
  readFacts,
  readTexts,
  region,
  submit,
  text,
} from "./screen.ts";
import { addPeering } from "#mocks/samples.ts";
import { deleteAfter, openTask } from "./deployment-screen.ts";
import { openConfirm } from "./wizard.ts";

const polls = (backend: Backend) => backend.sent("getTaskStatus").length;

/** Opens the screen of a waiting task with a stopped clock. */
async function openStopped(visit: RowVisit, type: DeploymentType = "new"): Promise<StoppedClock> {
  const clock = stopClock(calls.getTaskStatus.path);
  openTask(visit, "waiting", type);
  await expectShown(text(deploying), text("waiting"));
  await clock.settle();
  return clock;
}

/** The first poll at once, and then one every five seconds, whatever came of the earlier ones. */
function expectPollsEveryFiveSeconds({ requests }: StoppedClock, openedAt: number, count: number): void {
  const expected = Array.from({ length: count }, (_, index) => 5000 * index);
  expect(requests.map((at) => Math.floor((at - openedAt) / 500) * 500)).toEqual(expected);
}

testRows(deploymentRows, {
  "deploy-facts": async (visit) => {
    openTask(visit, "waiting");
    await expectShown(text(waiting.quip), text(deploying, byRole("status")));
    await waitFor(async () =>
      expect(await readFacts(main)).toMatchObject({ "Task ID": "t-1", Status: "waiting" }),
    );
  },
  "deploy-poll": async (visit) => {
    const clock = stopClock(calls.getTaskStatus.path);
    const openedAt = clock.now();
    openTask(visit, "waiting");
    await expectShown(text(deploying), text("waiting"));
    await clock.pass(22_000);
    expectPollsEveryFiveSeconds(clock, openedAt, 5);
  },
  "deploy-poll-timeout": async (visit) => {
    const clock = stopClock(calls.getTaskStatus.path, "t-hanging");
    const openedAt = clock.now();
    visit.backend.state.hanging.push("getTaskStatus");
    visit.app.open("/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=t-hanging");
    // The screen waits a second for the first response before it shows itself without one.
    await waitFor(() => expect(clock.requests).toHaveLength(1));
    await clock.pass(22_000, "hang");
    await expectShown(text(deploying));
    expectPollsEveryFiveSeconds(clock, openedAt, 5);
    expect(clock.aborted).toEqual([0, 1, 2].map((poll) => [clock.requests[poll], 10_000]));
  },
  "deploy-poll-failed": async (visit) => {
    const { backend, app } = visit;
    const clock = stopClock(calls.getTaskStatus.path);
    const openedAt = clock.now();
    const failures: ReadonlyArray<() => void> = [
      () => backend.refuse("getTaskStatus", 404, { message: "No such task." }),
      () => backend.refuse("getTaskStatus", 500, { message: "The server made a mistake." }),
      () => backend.cutOff("getTaskStatus"),
      () => backend.refuse("getTaskStatus", 403, { message: "Not yours." }),
      () => backend.replyText("getTaskStatus", "<!doctype html><title>Welcome to our hotel</title>"),
      () => backend.refuse("getTaskStatus", 404, { message: "No such task." }),
    ];
    addPeering(backend.state);
    failures[0]?.();
    app.open("/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=t-1");
    await expectShown(text(deploying), text(/^The server does not know this task\./));
    for (const fail of failures.slice(1)) {
      await clock.pass(2_000);
      fail();
      await clock.pass(3_000);
      await expectShown(text(deploying));
    }
    expectPollsEveryFiveSeconds(clock, openedAt, failures.length);
    backend.reply("getTaskStatus", { ...waiting, status: "failed" });
    await clock.pass(6000);
    await expectShown(heading("Failed"));
  },
  "deploy-status-unknown": async (visit) => {
    const { backend } = visit;
    const clock = await openStopped(visit);
    backend.reply("getTaskStatus", { ...waiting, status: "queued" });
    await clock.pass(6000);
    await expectShown(text(deploying), text("queued"));
    const before = polls(backend);
    await clock.pass(6000);
    expect(polls(backend)).toBeGreaterThan(before);
  },
  "deploy-screen": async (visit) => {
    const { backend } = visit;
    const steps = ["Handed the peering to syd01.dn42.example.net.", "BIRD accepted the new configuration."];
    const clock = await openStopped(visit);
    backend.reply("getTaskStatus", { ...waiting, steps });
    await clock.pass(6000);
    await expectShown(text(deploying));
    expect(readTexts(byRole("listitem", undefined, main))).toEqual(steps);
    backend.reply("getTaskStatus", { ...waiting, steps, status: "success" });
    await clock.pass(6000);
    await expectShown(heading("Success!"), region("Here is the config for your side:"));
    expect(backend.sent("getPeerConfig")).toHaveLength(1);
    expect(backend.sent("getNodeConfig")).toHaveLength(1);
    expect(text(deploying)()).toHaveLength(0);
    const ended = polls(backend);
    await clock.pass(11_000);
    expect(polls(backend)).toBe(ended);
  },
  "deploy-ends": async (visit) => {
    for (const [status, type, title] of [
      ["success", "edit", "Success!"],
      ["failed", "edit", "Failed"],
      ["error", "new", "Failed"],
    ] as const) {
      openTask(visit, status, type);
      await expectShown(heading(title));
    }
  },
  "delete-poll-error": async (visit) => {
    const { backend } = visit;
    const clock = await openStopped(visit, "delete");
    backend.reply("getTaskStatus", { ...waiting, kind: "delete", status: "error" });
    await clock.pass(6000);
    await expectShown(text("error"), text(deploying));
    const before = polls(backend);
    await clock.pass(6000);
    expect(polls(backend)).toBeGreaterThan(before);
    backend.reply("getTaskStatus", { ...waiting, kind: "delete", status: "failed" });
    await clock.pass(6000);
    await expectShown(heading("Failed"));
    const ended = polls(backend);
    await clock.pass(11_000);
    expect(polls(backend)).toBe(ended);
  },
  "task-response": async ({ app, backend }) => {
    await openConfirm(app);
    backend.reply("updatePeerConfig", { ...waiting, taskID: "t-2", quip: "First quip" });
    backend.state.hanging.push("getTaskStatus");
    await submit();
    await expectShown(text("First quip"));
    expect(await readFacts(main)).toEqual({ "Task ID": "t-2", Status: "waiting" });
  },
  "delete-answer": async (visit) => {
    const { backend } = visit;
    const answer = { ...waiting, kind: "delete", taskID: "t-3", quip: "Last quip" };
    await deleteAfter(visit, () => {
      backend.reply("deletePeer", answer);
      backend.state.hanging.push("getTaskStatus");
    });
    await expectShown(text("Last quip"));
    await expectAddress(visit.app, "/manager/updatepeer/delete?node=syd01&step=awaitingDeployment&task=t-3");
    expect(await readFacts(main)).toEqual({ "Task ID": "t-3", Status: "waiting" });
  },
});
