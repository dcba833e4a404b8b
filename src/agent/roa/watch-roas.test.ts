import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceLink } from "../durable-file.ts";
import { createFakeBird, type FakeBird } from "../fixtures/fake-bird.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { silentLog } from "../fixtures/silent-log.ts";
import { createExclusive, type Exclusive } from "../reconcile/exclusive.ts";
import { type RoaWatch, watchRoas } from "./watch-roas.ts";

const minuteMs = 60_000;
const roa = (number: number) => `route 172.20.${number}.0/24 max 28 as 424242000${number};\n`;
const roa6 = "route fd42:4242:1::/48 max 64 as 4242420001;\n";

let folder = "";
let birdDir = "";
let roaDir = "";
let bird: FakeBird;
let clock: ManualClock;
let exclusive: Exclusive;
let watch: RoaWatch | null;
/** What the sources answer; null where they cannot be reached. */
let sources: { four: string | null; six: string | null };
let rounds: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-roa-"));
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
  rounds = 0;
  watch = null;
});
afterEach(async () => {
  await watch?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function start(): RoaWatch {
  watch = watchRoas({
    sources: { ipv4: "https://roa.example.net/four", ipv6: "https://roa.example.net/six" },
    folders: { roaDir, birdDir },
    everyMinutes: 15,
    bird: bird.control,
    exclusive,
    read: async (source) => {
      const text = source.endsWith("four") ? sources.four : sources.six;
      if (text === null) throw new Error("fetch failed");
      return text;
    },
    clock: {
      ...clock,
      sleep: (ms, signal) => {
        rounds += 1;
        return clock.sleep(ms, signal);
      },
    },
    log: silentLog,
  });
  return watch;
}

async function afterRound(count: number): Promise<void> {
  await expect.poll(() => rounds).toBe(count);
}

const file = (name: string) => readFile(join(roaDir, name), "utf8");

test("BIRD is given both families, and told again only where something changed", async () => {
  const { issues } = start();
  await afterRound(1);
  expect(await file("roa4.conf")).toBe(roa(1) + roa(2) + roa(3));
  expect(await file("roa6.conf")).toBe(roa6);
  expect(bird.commands).toEqual(["configure"]);
  await clock.advance(15 * minuteMs);
  await afterRound(2);
  expect(bird.commands).toEqual(["configure"]);
  sources.four += roa(4);
  await clock.advance(15 * minuteMs);
  await afterRound(3);
  expect(await file("roa4.conf")).toBe(roa(1) + roa(2) + roa(3) + roa(4));
  expect(bird.commands).toEqual(["configure", "configure"]);
  expect(issues()).toEqual([]);
  expect((await readdir(roaDir)).toSorted()).toEqual(["roa4.conf", "roa6.conf"]);
});

test("a new life tells BIRD once, since the last may have ended before it did", async () => {
  await writeFile(join(roaDir, "roa4.conf"), roa(1) + roa(2) + roa(3));
  await writeFile(join(roaDir, "roa6.conf"), roa6);
  start();
  await afterRound(1);
  expect(bird.commands).toEqual(["configure"]);
});

test("a source that cannot be used changes nothing, is told in words, and is tried again in a minute", async () => {
  const { issues } = start();
  await afterRound(1);
  sources.four = `${roa(1)}${roa(2)}<html>`;
  sources.six += "route fd42:4242:2::/48 max 64 as 4242420002;\n";
  await clock.advance(15 * minuteMs);
  await afterRound(2);
  expect(issues()).toEqual([
    "The ROAs were not renewed for 15 minutes, and BIRD goes on with those it has: " +
      'https://roa.example.net/four cannot be used: line 3 is no IPv4 ROA: "<html>".',
  ]);
  expect(await file("roa4.conf")).toBe(roa(1) + roa(2) + roa(3));
  expect(await file("roa6.conf")).toBe(roa6);
  expect(bird.commands).toEqual(["configure"]);
  sources.four = roa(1) + roa(2);
  await clock.advance(minuteMs);
  await afterRound(3);
  expect(issues()).toEqual([]);
  expect(await file("roa4.conf")).toBe(roa(1) + roa(2));
});

test("a list that shrank to less than half is not believed", async () => {
  const { issues } = start();
  await afterRound(1);
  sources.four = roa(1);
  await clock.advance(15 * minuteMs);
  await afterRound(2);
  expect(issues()[0]).toContain(
    `it holds 1 ROAs and ${join(roaDir, "roa4.conf")} holds 3; remove that file where so few are right`,
  );
  expect(await file("roa4.conf")).toBe(roa(1) + roa(2) + roa(3));
});

test("what BIRD refuses is taken back", async () => {
  const { issues } = start();
  await afterRound(1);
  bird.answer("configure", "8002 roa4.conf:1:1 syntax error");
  sources.four += roa(4);
  await clock.advance(15 * minuteMs);
  await afterRound(2);
  expect(issues()[0]).toContain("BIRD refused its configuration with it: roa4.conf:1:1 syntax error.");
  expect(await file("roa4.conf")).toBe(roa(1) + roa(2) + roa(3));
});

test("BIRD is not told while a deployment is under way, nor while one is not confirmed", async () => {
  const deployment = Promise.withResolvers<void>();
  void exclusive(() => deployment.promise);
  const { issues } = start();
  await clock.advance(0);
  expect([bird.commands, await readdir(roaDir)]).toEqual([[], []]);
  await replaceLink(join(birdDir, "current"), "b");
  deployment.resolve();
  await afterRound(1);
  expect([bird.commands, await readdir(roaDir)]).toEqual([[], []]);
  expect(issues()).toEqual([
    "The ROAs were not renewed since the agent started, and BIRD goes on with those it has: the router does " +
      "not surely run its confirmed configuration, and is not told now.",
  ]);
  await replaceLink(join(birdDir, "current"), "a");
  await clock.advance(minuteMs);
  await afterRound(2);
  expect(bird.commands).toEqual(["configure"]);
});
