import "fake-indexeddb/auto";
import { beforeEach, describe, expect, test } from "vitest";
import * as alerts from "./alerts-preference.ts";
import * as responses from "./cached-responses.ts";
import { getValue, transact } from "./database.ts";
import * as drafts from "./stored-drafts.ts";
import * as owner from "./owner.ts";
import * as tasks from "./stored-tasks.ts";

const one = "4242420001";
const other = "4242420002";

beforeEach(async () => {
  await transact("readwrite", undefined, (store) => void store.clear());
  await owner.setOwner(one);
});

function valueOf(key: IDBValidKey): Promise<unknown> {
  return transact<unknown>("readonly", undefined, (store) => getValue(store, key));
}

async function put(key: IDBValidKey, value: unknown): Promise<void> {
  await transact("readwrite", undefined, (store) => void store.put(value, key));
}

const task: tasks.WatchedTask = {
  username: one,
  taskID: "7",
  node: "syd01",
  type: "edit",
  isStartedHere: true,
  formHash: "hash",
  startedAt: 1_700_000_000_000,
};

describe("a cached response", () => {
  const requestBody = JSON.stringify({ username: one });
  const key = { username: one, path: "/api/getPeerStatus", requestBody };
  const response = { body: "[]", fetchedAt: 1_700_000_000_000 };

  test("is read as it was cached, under its persisted names", async () => {
    await responses.cacheResponse(key, response);
    expect(await responses.readCachedResponse(key)).toEqual(response);
    expect(await valueOf(["owned", "response", "/api/getPeerStatus", requestBody])).toEqual({
      body: "[]",
      fetchedAt: 1_700_000_000_000,
    });
  });

  test("that another build has cached is read", async () => {
    await put(["public", "response", "/provider.json"], { body: "{}", fetchedAt: 5 });
    const provider = { username: null, path: "/provider.json", requestBody: "" };
    expect(await responses.readCachedResponse(provider)).toEqual({ body: "{}", fetchedAt: 5 });
  });

  test("is not that of another request", async () => {
    await responses.cacheResponse(key, response);
    const otherRequest = { ...key, requestBody: JSON.stringify({ username: one, node: "fra01" }) };
    expect(await responses.readCachedResponse(otherRequest)).toBeUndefined();
  });

  test("of a public read needs no owner", async () => {
    const provider = { username: null, path: "/provider.json", requestBody: "" };
    await owner.clearOwner();
    await responses.cacheResponse(provider, response);
    expect(await responses.readCachedResponse(provider)).toEqual(response);
  });

  test("can be deleted", async () => {
    await responses.cacheResponse(key, response);
    await responses.deleteCachedResponse(key);
    expect(await responses.readCachedResponse(key)).toBeUndefined();
  });
});

describe("a draft", () => {
  const name = ["peering", "edit", "syd01"];

  test("is read as it was saved, under its persisted key", async () => {
    await drafts.saveStoredDraft(one, name, { step: 2 });
    expect(await drafts.readStoredDraft(one, name)).toEqual({ step: 2 });
    expect(await valueOf(["draft", one, ...name])).toEqual({ step: 2 });
  });

  test("is deleted only if it matches", async () => {
    await drafts.saveStoredDraft(one, name, { step: 2 });
    await drafts.deleteStoredDraft(one, name, () => false);
    expect(await drafts.readStoredDraft(one, name)).toEqual({ step: 2 });
    await drafts.deleteStoredDraft(one, name, (draft) => (draft as { step: number }).step === 2);
    expect(await drafts.readStoredDraft(one, name)).toBeUndefined();
  });
});

describe("a watched task", () => {
  test("is read as it was saved, under its persisted names", async () => {
    await tasks.saveTask(task);
    expect(await tasks.readTasks(one)).toEqual([task]);
    expect(await valueOf(["owned", "task", "7"])).toEqual(task);
  });

  test("that was started on another device does not replace one that was started here", async () => {
    await tasks.saveTask(task);
    await tasks.saveTask({ ...task, isStartedHere: false });
    expect(await tasks.readTasks(one)).toEqual([task]);
  });

  test("can be deleted", async () => {
    await tasks.saveTask(task);
    await tasks.saveTask({ ...task, taskID: "8" });
    await tasks.deleteTask(one, "7");
    expect((await tasks.readTasks(one)).map(({ taskID }) => taskID)).toEqual(["8"]);
  });
});

describe("a notification", () => {
  test("can be claimed once, also if several ask at the same time", async () => {
    const claims = await Promise.all([1, 2, 3].map(() => tasks.claimNotification(one, "7")));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await tasks.claimNotification(one, "8")).toBe(true);
  });

  test("that another build has claimed stays claimed", async () => {
    await put(["owned", "notified", "7"], 1_700_000_000_000);
    expect(await tasks.claimNotification(one, "7")).toBe(false);
  });
});

test("nothing is given to another AS than the owner, or stored after the logout", async () => {
  const key = { username: one, path: "/api/getPeerStatus", requestBody: "{}" };
  const cache = () => responses.cacheResponse(key, { body: "[]", fetchedAt: 1 });
  await cache();
  await tasks.saveTask(task);
  expect(await responses.readCachedResponse({ ...key, username: other })).toBeUndefined();
  expect(await tasks.readTasks(other)).toEqual([]);
  expect(await tasks.claimNotification(other, "7")).toBe(false);
  await owner.startLogout();
  await cache();
  await drafts.saveStoredDraft(one, ["contact"], { step: 2 });
  expect(await valueOf(["owned", "response", key.path, key.requestBody])).toBeUndefined();
  expect(await drafts.readStoredDraft(one, ["contact"])).toBeUndefined();
});

test("the preference for alerts is false unless saved as true, under its persisted key", async () => {
  expect(await alerts.readAlertsPreference(one)).toBe(false);
  await alerts.saveAlertsPreference(one, true);
  expect(await alerts.readAlertsPreference(one)).toBe(true);
  expect(await valueOf(["preference", one, "alerts"])).toBe(true);
});
