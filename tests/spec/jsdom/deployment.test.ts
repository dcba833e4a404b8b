import { expect } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import type { Task } from "../../../src/contract/entities.ts";
import type { DeploymentType } from "../../../src/contract/screens.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { type StoppedClock, stopClock } from "./stopped-clock.ts";
import { deploying, waiting } from "../scenarios/deployment.ts";
import { deploymentRows } from "../table/deployment.ts";
import { byRole, expectShown, heading, main, readFacts, readTexts, region, submit, text } from "./screen.ts";
import { deleteAfter, openTask } from "./deployment-screen.ts";
import { openConfirm } from "./wizard.ts";

const polls = (backend: Backend) => backend.received("getTaskStatus").length;

/** Opens the screen of a waiting task with a stopped clock. */
async function openStopped(visit: RowVisit, type: DeploymentType = "new"): Promise<StoppedClock> {
  const clock = stopClock(calls.getTaskStatus.path);
  openTask(visit, "waiting", type);
  await expectShown(text(deploying), text("waiting"));
  // The first poll of the screen, and the first of the watcher, which is loaded by then.
  await waitFor(() => expect(polls(visit.backend)).toBeGreaterThan(1));
  await clock.settle();
  return clock;
}

/** The polls of the screen's start do not count. */
async function expectPollEveryFiveSeconds(clock: StoppedClock): Promise<void> {
  await clock.pass(22_000);
  const times = clock.requests.slice(2);
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(distances.length).toBeGreaterThanOrEqual(3);
  expect(distances.filter((distance) => distance < 5000 || distance > 5500)).toEqual([]);
}

const endsAs =
  (status: Task["status"], type: DeploymentType, title: string): RowTest =>
  async (visit) => {
    openTask(visit, status, type);
    await expectShown(heading(title));
  };

const givesUpAfter10Seconds: RowTest = async (visit) => {
  const { backend } = visit;
  const clock = await openStopped(visit);
  backend.restore("getTaskStatus");
  backend.state.hanging.push("getTaskStatus");
  const hangsFrom = clock.now();
  await clock.pass(16_000, "hang");
  const aborted = clock.aborted.filter(([startedAt]) => startedAt > hangsFrom);
  expect(aborted.map(([, lastedMs]) => lastedMs)).toEqual([10_000]);
};

const showsAnswerOfUpdate: RowTest = async ({ app, backend }) => {
  await openConfirm(app);
  backend.reply("updatePeerConfig", { ...waiting, taskID: "t-2", quip: "First quip" });
  backend.state.hanging.push("getTaskStatus");
  await submit();
  await expectShown(text("First quip"));
  expect(await readFacts(main)).toEqual({ "Task ID": "t-2", Status: "waiting" });
};

testRows(
  deploymentRows,
  {
    "deploy-task-id": async (visit) => {
      openTask(visit, "waiting");
      await waitFor(async () => expect((await readFacts(main))["Task ID"]).toBe("t-1"));
    },
    "deploy-status": async (visit) => {
      openTask(visit, "waiting");
      await waitFor(async () => expect((await readFacts(main))["Status"]).toBe("waiting"));
    },
    "deploy-quip": async (visit) => {
      openTask(visit, "waiting");
      await expectShown(text(waiting.quip));
    },
    "deploy-poll": async (visit) => {
      await expectPollEveryFiveSeconds(await openStopped(visit));
    },
    "deploy-poll-interval": async (visit) => {
      await expectPollEveryFiveSeconds(await openStopped(visit, "delete"));
    },
    "deploy-poll-timeout": givesUpAfter10Seconds,
    "deploy-poll-failed": async (visit) => {
      const { backend } = visit;
      const clock = await openStopped(visit);
      backend.refuse("getTaskStatus", 500, { message: "The server made a mistake." });
      await clock.pass(12_000);
      expect(polls(backend)).toBeGreaterThanOrEqual(3);
      await expectShown(text(deploying));
      backend.reply("getTaskStatus", { ...waiting, status: "failed" });
      await clock.pass(6000);
      await expectShown(heading("Failed"));
    },
    "deploy-screen": async (visit) => {
      const { backend } = visit;
      const steps = ["Handed the peering to syd01.", "BIRD accepted the new configuration."];
      const clock = await openStopped(visit);
      backend.reply("getTaskStatus", { ...waiting, steps });
      await clock.pass(6000);
      await expectShown(text(deploying));
      expect(readTexts(byRole("listitem", undefined, main))).toEqual(steps);
      backend.reply("getTaskStatus", { ...waiting, steps, status: "success" });
      await clock.pass(6000);
      await expectShown(heading("Success!"));
      expect(text(deploying)()).toHaveLength(0);
    },
    "deploy-success": endsAs("success", "new", "Success!"),
    "deploy-success-config": async (visit) => {
      openTask(visit, "success");
      const config = region("Here is the config for your side:");
      await expectShown(config);
      expect(visit.backend.received("getPeerConfig")).toHaveLength(1);
      expect(visit.backend.received("getNodeConfig")).toHaveLength(1);
    },
    "deploy-failed": endsAs("failed", "new", "Failed"),
    "deploy-error": endsAs("error", "new", "Failed"),
    "deploy-edit": async (visit) => {
      await endsAs("success", "edit", "Success!")(visit);
      await endsAs("failed", "edit", "Failed")(visit);
      await endsAs("error", "edit", "Failed")(visit);
    },
    "deploy-poll-ends": async (visit) => {
      const { backend } = visit;
      const clock = await openStopped(visit);
      backend.reply("getTaskStatus", { ...waiting, status: "success" });
      await clock.pass(6000);
      await expectShown(heading("Success!"));
      const ended = polls(backend);
      await clock.pass(11_000);
      expect(polls(backend)).toBe(ended);
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
    "task-response": showsAnswerOfUpdate,
    "update-answer": showsAnswerOfUpdate,
    "delete-answer": async (visit) => {
      const { backend } = visit;
      const answer = { ...waiting, kind: "delete", taskID: "t-3", quip: "Last quip" };
      await deleteAfter(visit, () => {
        backend.reply("deletePeer", answer);
        backend.state.hanging.push("getTaskStatus");
      });
      await expectShown(text("Last quip"));
      expect(await readFacts(main)).toEqual({ "Task ID": "t-3", Status: "waiting" });
    },
    "task-answer": async ({ app, backend }) => {
      await openConfirm(app);
      backend.reply("updatePeerConfig", { ...waiting, quip: "First quip" });
      backend.reply("getTaskStatus", { ...waiting, quip: "Second quip" });
      await submit();
      await expectShown(text("Second quip"));
      expect(text("First quip")()).toHaveLength(0);
    },
    "task-timeout": givesUpAfter10Seconds,
  },
  { isLoggedIn: true },
);
