import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { replaceLink } from "#system/durable-file.ts";
import { createFakeBird, type FakeBird } from "../../fixtures/fake-bird.ts";
import { createManualClock, type ManualClock } from "../../fixtures/manual-clock.ts";
import { silentLog } from "../../fixtures/silent-log.ts";
import { createExclusive, type Exclusive } from "../../exclusive.ts";
import { type RoaMonitor, monitorRoas } from "./roa-monitor.ts";

const minuteMs = 60_000;
const roa = (number: number) => `route 172.20.${number}.0/24 max 28 as 424242000${number};\n`;
const roa6 = "route fd42:4242:1::/48 max 64 as 4242420001;\n";

let folder = "";
let birdDir = "";
let roaDir = "";
let bird: FakeBird;
let clock: ManualClock;
let exclusive: Exclusive;
let monitor: RoaMonitor | null;
let unloaded: Finding | null;
/** The content of the sources; null if a source is unreachable. */
let sources: { four: string | null; six: string | null };
let sleeps: number;
/** How many commands BIRD had received each time when the files followed its disabled sessions. */
let followed: number[];
let canFollow: boolean;

beforeEach(async () => {
  folder = await createFolder();
  birdDir = join(folder, "peerdeck");
  roaDir = join(folder, "roa");
  await mkdir(join(birdDir, "a"), { recursive: true });
  await mkdir(roaDir);
  await symlink("a", join(birdDir, "current"));
  await symlink("a", join(birdDir, "confirmed"));
  bird = createFakeBird(birdDir);
  clock = createManualClock();
  exclusive = createExclusive();
  sources = { four: roa(1) + roa(2) + roa(3), six: roa6 };
  sleeps = 0;
  followed = [];
  canFollow = true;
  monitor = null;
  unloaded = null;
});
afterEach(() => monitor?.[Symbol.asyncDispose]());

function start(): RoaMonitor {
  monitor = monitorRoas({
    sources: { ipv4: "https://roa.example.net/four", ipv6: "https://roa.example.net/six" },
    folders: { roaDir, birdDir },
    everyMinutes: 15,
    bird: bird.control,
    unloadedChanges: { find: async () => unloaded },
    followDisabled: async () => {
      followed.push(bird.commands.length);
      if (!canFollow) throw new Error("it waits");
    },
    exclusive,
    read: async (source) => {
      const text = source.endsWith("four") ? sources.four : sources.six;
      if (text === null) throw new Error("fetch failed");
      return text;
    },
    clock: {
      ...clock,
      sleep: (ms, signal) => {
        sleeps += 1;
        return clock.sleep(ms, signal);
      },
    },
    log: silentLog,
  });
  return monitor;
}

async function waitForUpdate(count: number): Promise<void> {
  await expect.poll(() => sleeps).toBe(count);
}

/** Passes the time, and waits for the update that is due then. */
async function updateAfter(minutes: number): Promise<void> {
  const before = sleeps;
  await clock.advance(minutes * minuteMs);
  await waitForUpdate(before + 1);
}

/** Starts the monitor, and waits for its first update. */
async function startUpdated(): Promise<RoaMonitor> {
  const started = start();
  await waitForUpdate(1);
  return started;
}

const file = (name: string) => readFile(join(roaDir, name), "utf8");
const files = async () => [await file("roa4.conf"), await file("roa6.conf")];
const outdated = (minutes: number | null, output: string) => ({
  code: "roas-outdated",
  facts: { minutes, output },
});

test("loads both address families into BIRD, and reloads only after a change", async () => {
  const { findings } = await startUpdated();
  expect(await files()).toEqual([roa(1) + roa(2) + roa(3), roa6]);
  expect(bird.commands).toEqual(["configure"]);
  await updateAfter(15);
  expect(bird.commands).toEqual(["configure"]);
  sources.four += roa(4);
  await updateAfter(15);
  expect(await file("roa4.conf")).toBe(roa(1) + roa(2) + roa(3) + roa(4));
  expect(bird.commands).toEqual(["configure", "configure"]);
  expect(findings()).toEqual([]);
  expect((await readdir(roaDir)).toSorted()).toEqual(["roa4.conf", "roa6.conf"]);
});

test("BIRD's files follow its disabled sessions before each configure, which waits until they can", async () => {
  const { findings } = await startUpdated();
  canFollow = false;
  sources.four += roa(4);
  await updateAfter(15);
  expect(await file("roa4.conf")).toBe(roa(1) + roa(2) + roa(3));
  expect([bird.commands, findings()]).toEqual([["configure"], [outdated(15, "it waits")]]);
  canFollow = true;
  await updateAfter(1);
  expect([bird.commands, followed]).toEqual([
    ["configure", "configure"],
    [0, 1, 1],
  ]);
});

test("reconfigures BIRD once after a restart, even if the files are unchanged", async () => {
  await writeFile(join(roaDir, "roa4.conf"), roa(1) + roa(2) + roa(3));
  await writeFile(join(roaDir, "roa6.conf"), roa6);
  await startUpdated();
  expect(bird.commands).toEqual(["configure"]);
});

test.each<[string, () => void, (roa4: string) => string]>([
  [
    "an unusable source, and those of the other one",
    () => {
      sources.four = `${roa(1)}${roa(2)}<html>`;
      sources.six += "route fd42:4242:2::/48 max 64 as 4242420002;\n";
    },
    () => 'https://roa.example.net/four cannot be used: line 3 is not an IPv4 ROA: "<html>"',
  ],
  [
    "a list that shrank to less than half",
    () => (sources.four = roa(1)),
    (roa4) =>
      `it contains 1 ROAs, but ${roa4} contains 3; if the smaller number is correct, remove that file`,
  ],
  [
    "ROAs that BIRD refuses",
    () => {
      sources.four += roa(4);
      bird.replyWith("configure", "8002 roa4.conf:1:1 syntax error");
    },
    () => "BIRD refused the configuration with these ROAs: roa4.conf:1:1 syntax error",
  ],
  [
    "new ROAs while the operator edits BIRD's configuration",
    () => {
      sources.four += roa(4);
      unloaded = { code: "bird-files-not-loaded", facts: { files: ["bird.conf"], isInvalid: false } };
    },
    () => "bird.conf was changed",
  ],
])("keeps the previous ROAs instead of %s, and takes the next ones", async (_, change, reason) => {
  const { findings } = await startUpdated();
  change();
  await updateAfter(15);
  expect(findings()).toEqual([outdated(15, expect.stringContaining(reason(join(roaDir, "roa4.conf"))))]);
  expect(await files()).toEqual([roa(1) + roa(2) + roa(3), roa6]);
  unloaded = null;
  bird.replyWith("configure", "0003 Reconfigured");
  sources = { four: roa(1) + roa(2) + roa(4), six: roa6 };
  await updateAfter(1);
  expect(await files()).toEqual([roa(1) + roa(2) + roa(4), roa6]);
  expect(findings()).toEqual([]);
});

test("does not reconfigure BIRD while a deployment is in progress or unconfirmed", async () => {
  const deployment = Promise.withResolvers<void>();
  void exclusive(() => deployment.promise);
  const { findings } = start();
  await clock.advance(0);
  expect([bird.commands, await readdir(roaDir)]).toEqual([[], []]);
  await replaceLink(join(birdDir, "current"), "b");
  deployment.resolve();
  await waitForUpdate(1);
  expect([bird.commands, await readdir(roaDir)]).toEqual([[], []]);
  expect(findings()).toEqual([
    outdated(null, "the router may not run its confirmed configuration, so BIRD is not reconfigured now"),
  ]);
  await replaceLink(join(birdDir, "current"), "a");
  await updateAfter(1);
  expect(bird.commands).toEqual(["configure"]);
});

test("the age of the ROAs outlives the agent, and is a finding without a failure, too", async () => {
  const first = await startUpdated();
  expect(first.ageSeconds()).toBe(0);
  await clock.advance(5 * minuteMs);
  expect(first.ageSeconds()).toBe(300);
  // Unchanged ROAs are new ones, too.
  await updateAfter(10);
  expect(first.ageSeconds()).toBe(0);
  await first[Symbol.asyncDispose]();
  sources.four = null;
  await clock.advance(60 * minuteMs);
  const { ageSeconds, findings } = start();
  await waitForUpdate(3);
  expect(ageSeconds()).toBe(3600);
  expect(findings()).toEqual([outdated(60, "https://roa.example.net/four cannot be used: fetch failed")]);
});

test("without an update for twice the interval, the age is a finding while an update is in progress", async () => {
  const { ageSeconds, findings } = await startUpdated();
  const deployment = Promise.withResolvers<void>();
  void exclusive(() => deployment.promise);
  await clock.advance(31 * minuteMs);
  expect(ageSeconds()).toBe(31 * 60);
  expect(findings()).toEqual([outdated(31, "")]);
  deployment.resolve();
  await waitForUpdate(2);
  expect(findings()).toEqual([]);
});
