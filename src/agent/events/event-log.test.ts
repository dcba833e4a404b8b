import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { agentEvent, maxEventsPerCall } from "../../contract/call-tables/agent-event-calls.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { createMemoryEventStore, type MemoryEventStore } from "../fixtures/memory-store.ts";
import { silentLog as log } from "../fixtures/silent-log.ts";
import { createEventFile } from "./event-file.ts";
import { type EventLog, maxEvents, type NewEvent, openEventLog } from "./event-log.ts";

const hourMs = 3_600_000;
const asn = "4242420001";
const repaired: NewEvent = { kind: "tunnel-repaired", asn };
const failed = (output: string): NewEvent => ({
  kind: "router-repair-failed",
  asn: null,
  findings: [{ code: "router-not-restored", facts: { output } }],
});
let folder = "";
let clock: ManualClock;
let store: MemoryEventStore;
let events: EventLog;

beforeEach(async () => {
  folder = await createFolder();
  clock = createManualClock();
  store = createMemoryEventStore();
  events = await openEventLog({ store, clock, log });
});

const list = (from = events) => from.read(null).events.map(({ kind, repeats }) => [kind, repeats]);
const reopen = async () => {
  await events[Symbol.asyncDispose]();
  events = await openEventLog({ store, clock, log });
};

const recorded: readonly NewEvent[] = [
  { kind: "endpoint-changed", asn, address: "2001:db8::7" },
  { ...failed("no space left on device"), steps: [{ code: "change-rolled-back", facts: {} }] },
];

test("returns events that fit the contract, with their times, and those after an ID", async () => {
  const start = clock.now();
  events.record([repaired]);
  await clock.advance(5_000);
  events.record(recorded);
  const { now, events: all } = events.read(null);
  expect(now).toBe(start + 5_000);
  expect(all.map(({ number, at, repeats }) => [number, at - start, repeats])).toEqual([
    [1, 0, 0],
    [2, 5_000, 0],
    [3, 5_000, 0],
  ]);
  expect(all).toMatchObject([repaired, ...recorded]);
  for (const event of all) expect(v.safeParse(agentEvent, event).success).toBe(true);
  expect(events.read(all[0]?.id ?? "").events).toEqual(all.slice(1));
  expect(events.read(all[2]?.id ?? "").events).toEqual([]);
  expect(events.read("3f0c8a5e-58c1-4a3e-9d4f-0a1b2c3d4e5f").events).toEqual(all);
});

test("counts what happens again within an hour, and lists it as one event an hour", async () => {
  for (let second = 0; second < 3 * 3600; second += 10) {
    events.record([repaired]);
    await clock.advance(10_000);
  }
  expect(list()).toEqual([
    ["tunnel-repaired", 0],
    ["tunnel-repaired", 359],
    ["tunnel-repaired", 360],
    ["tunnel-repaired", 360],
  ]);
  await clock.advance(2 * hourMs);
  expect(list()).toHaveLength(4);
  events.record([repaired]);
  expect(list().at(-1)).toEqual(["tunnel-repaired", 0]);
});

test("counts each kind and AS on its own, with the newest facts", async () => {
  const other = { ...repaired, asn: "4242420002" };
  events.record([repaired, other, failed("one"), failed("two"), failed("three")]);
  await clock.advance(hourMs);
  const { events: all } = events.read(null);
  expect(all.map(({ kind, asn: of, repeats, findings }) => [kind, of, repeats, findings])).toEqual([
    ["tunnel-repaired", asn, 0, []],
    ["tunnel-repaired", "4242420002", 0, []],
    ["router-repair-failed", null, 0, failed("one").findings],
    ["router-repair-failed", null, 2, failed("three").findings],
  ]);
});

test("stores events and counts across restarts", async () => {
  events.record([repaired, repaired]);
  const before = events.read(null).events;
  await reopen();
  expect(events.read(null).events).toEqual(before);
  events.record([repaired]);
  await clock.advance(hourMs);
  await reopen();
  expect(list()).toEqual([
    ["tunnel-repaired", 0],
    ["tunnel-repaired", 2],
  ]);
  expect(events.read(null).events.map(({ number }) => number)).toEqual([1, 2]);
});

test("drops the oldest events, returns the others in pages, and numbers go on", async () => {
  const all = Array.from({ length: maxEvents + 20 }, (_, n) => ({ ...repaired, asn: String(n + 1) }));
  events.record(all);
  const numbers: number[] = [];
  let { events: page } = events.read(null);
  while (page.length > 0) {
    expect(page).toHaveLength(maxEventsPerCall);
    numbers.push(...page.map(({ number }) => number));
    ({ events: page } = events.read(page.at(-1)?.id ?? null));
  }
  expect(numbers).toEqual(Array.from({ length: maxEvents }, (_, n) => n + 21));
});

test("a full disk loses nothing as long as the agent runs, stops nothing, and is in the log once a minute", async () => {
  const warnings: unknown[] = [];
  const warn = (_: unknown, message: unknown) => void warnings.push(message);
  events = await openEventLog({ store, clock, log: { warn, error: warn } as unknown as typeof log });
  store.error = new Error("ENOSPC: no space left on device");
  events.record([repaired]);
  expect(list()).toEqual([["tunnel-repaired", 0]]);
  await clock.advance(0);
  expect(store.saved).toBeNull();
  expect(warnings).toEqual(["the agent's events could not be saved"]);
  store.error = null;
  expect(list()).toHaveLength(1);
  await reopen();
  expect(list()).toEqual([["tunnel-repaired", 0]]);
});

test("the file survives a restart", async () => {
  const open = () => openEventLog({ store: createEventFile(folder, "syd01"), clock, log });
  const first = await open();
  first.record([repaired]);
  await first[Symbol.asyncDispose]();
  expect((await open()).read(null)).toEqual(first.read(null));
  expect(await readdir(folder)).toEqual(["events.json"]);
});

const ofAnotherNode = {
  version: 1,
  node: "per01",
  lastNumber: 1,
  windows: [],
  events: [
    { id: randomUUID(), number: 1, at: 0, repeats: 0, address: null, findings: [], steps: [], ...repaired },
  ],
};

test.each(["", "{}", JSON.stringify(ofAnotherNode)])(
  "starts with an empty list if the file contains %j, and writes it again",
  async (text) => {
    const path = join(folder, "events.json");
    await writeFile(path, text);
    const opened = await openEventLog({ store: createEventFile(folder, "syd01"), clock, log });
    expect(opened.read(null).events).toEqual([]);
    opened.record([repaired]);
    await opened[Symbol.asyncDispose]();
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ node: "syd01", events: [repaired] });
  },
);
