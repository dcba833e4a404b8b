/** Deployments that an earlier page watched. */
import { expect, it } from "vitest";
import { setOwner } from "#browser-storage/owner.ts";
import { readTasks, saveTask } from "#browser-storage/stored-tasks.ts";
import { participant } from "#mocks/state.ts";
import { useIndexedDb } from "../../support/window-properties.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();
useIndexedDb();

it("are polled again, except those that the server has deleted by now", async () => {
  const username = participant.asn;
  const store = (taskID: string, startedAt: number) =>
    saveTask({ username, taskID, node: "syd01", type: "new", isStartedHere: true, startedAt });
  await setOwner(username);
  await store("t-old", Date.now() - 31 * 24 * 3_600_000);
  await store("t-recent", Date.now());
  backend.state.loggedInAs = username;
  await openApp("/manager");
  await expect.poll(() => backend.sent("getTaskStatus")).toEqual([{ username, taskID: "t-recent" }]);
  expect((await readTasks(username)).map(({ taskID }) => taskID)).toEqual(["t-recent"]);
});
