import "fake-indexeddb/auto";
import { promisifyRequest } from "idb-keyval";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as database from "./database.ts";
import * as owner from "./owner.ts";

const one = "4242420001";
const other = "4242420002";
const now = Date.UTC(2026, 10, 22, 12);

type Entry = readonly [key: IDBValidKey, value: unknown];
type Entries = Readonly<Record<string, unknown>>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  await database.transact("readwrite", undefined, (objects) => void objects.clear());
});
afterEach(() => {
  vi.useRealTimers();
});

/** Stores what another build may have stored: the names must not change. */
async function store(entries: readonly Entry[]): Promise<void> {
  await database.transact("readwrite", undefined, (objects) => {
    for (const [key, value] of entries) objects.put(value, key);
  });
}

/** Everything that the device has stored, by the JSON of its key. */
function stored(): Promise<Entries> {
  return database.transact("readonly", {}, async (objects) => {
    const keys = await promisifyRequest(objects.getAllKeys());
    const values = await promisifyRequest(objects.getAll());
    return Object.fromEntries(keys.map((key, index) => [JSON.stringify(key), values[index] as unknown]));
  });
}

const dataOfOne: readonly Entry[] = [
  ["owner", one],
  [["owned", "response", "/api/getPeerStatus", "{}"], { body: "[]", fetchedAt: now - 60_000 }],
  [["owned", "task", "7"], { username: one, taskID: "7" }],
  [["owned", "notified", "6"], now - 60_000],
  [["draft", one, "contact"], { message: "Hello" }],
  [["preference", one, "alerts"], true],
  [["public", "response", "/provider.json"], { body: "{}", fetchedAt: now - 60_000 }],
];

test("no AS is the owner of a new device", async () => {
  expect(await owner.readOwner()).toBeUndefined();
  expect(await owner.readLogoutState()).toBe("none");
});

test("the AS that logs in becomes the owner", async () => {
  await owner.setOwner(one);
  expect(await owner.readOwner()).toBe(one);
  expect(await stored()).toEqual({ '"owner"': one });
});

test("an owner that is set again keeps its data", async () => {
  await store(dataOfOne);
  const before = await stored();
  await owner.setOwner(one);
  expect(await stored()).toEqual(before);
});

test("another AS that logs in removes the data, drafts and preferences of every other AS", async () => {
  await store([
    ...dataOfOne,
    [["draft", "4242429999", "contact"], { message: "A later AS number" }],
    [["draft", other, "contact"], { message: "My own draft" }],
    [["preference", other, "alerts"], true],
  ]);
  await owner.setOwner(other);
  expect(await stored()).toEqual({
    '"owner"': other,
    [JSON.stringify(["draft", other, "contact"])]: { message: "My own draft" },
    [JSON.stringify(["preference", other, "alerts"])]: true,
    [JSON.stringify(["public", "response", "/provider.json"])]: { body: "{}", fetchedAt: now - 60_000 },
  });
});

test("a login session that has expired leaves drafts and preferences", async () => {
  await store(dataOfOne);
  await owner.clearOwner();
  expect(Object.keys(await stored())).toEqual([
    JSON.stringify(["draft", one, "contact"]),
    JSON.stringify(["preference", one, "alerts"]),
    JSON.stringify(["public", "response", "/provider.json"]),
  ]);
});

test("a logout removes all data of accounts and is pending until it is completed", async () => {
  await store([...dataOfOne, [["draft", other, "contact"], { message: "From before" }]]);
  await owner.startLogout();
  expect(await stored()).toEqual({
    '"pending-logout"': true,
    [JSON.stringify(["public", "response", "/provider.json"])]: { body: "{}", fetchedAt: now - 60_000 },
  });
  expect(await owner.readLogoutState()).toBe("pending");
  await owner.completeLogout();
  expect(await owner.readLogoutState()).toBe("none");
});

test("a requested logout removes nothing and is abandoned after ten seconds without its end", async () => {
  await store(dataOfOne);
  const before = await stored();
  await owner.requestLogout();
  expect(await owner.readOwner()).toBe(one);
  expect(await owner.readLogoutState()).toBe("none");
  vi.setSystemTime(now + 10_001);
  expect(await owner.readLogoutState()).toBe("abandoned");
  vi.setSystemTime(now - 3_600_000);
  expect(await owner.readLogoutState()).toBe("abandoned");
  await owner.cancelLogout();
  expect(await owner.readLogoutState()).toBe("none");
  expect(await stored()).toEqual(before);
});

test("a device that another build has logged out stays logged out", async () => {
  await store([["pending-logout", true]]);
  expect(await owner.readLogoutState()).toBe("pending");
  await owner.setOwner(one);
  expect(await owner.readOwner()).toBeUndefined();
});

test("a response to a request sent before the logout was completed sets no owner", async () => {
  await owner.setOwner(one, now);
  await owner.startLogout();
  const requestedAt = Date.now();
  vi.setSystemTime(now + 1_000);
  await owner.completeLogout();
  await owner.setOwner(one, requestedAt);
  expect(await owner.readOwner()).toBeUndefined();
  await owner.setOwner(one, now + 2_000);
  expect(await owner.readOwner()).toBe(one);
});

test("the completion that another build has recorded counts", async () => {
  await store([["logout-completed-at", now - 1_000]]);
  await owner.setOwner(one, now - 2_000);
  expect(await owner.readOwner()).toBeUndefined();
});

test("a completion in the future, from before the clock was set back, does not prevent a login", async () => {
  await store([["logout-completed-at", now + 3_600_000]]);
  await owner.setOwner(one, now);
  expect(await owner.readOwner()).toBe(one);
});

function write(username: string): Promise<string> {
  return owner.transactAsOwner(username, "refused", (objects) => {
    objects.put(username, ["owned", "test", username]);
    return "written";
  });
}

test("only the owner reads and writes its data", async () => {
  await owner.setOwner(one);
  expect(await write(one)).toBe("written");
  expect(await write(other)).toBe("refused");
  await owner.startLogout();
  expect(await write(one)).toBe("refused");
  expect(Object.keys(await stored())).toEqual(['"pending-logout"']);
});
