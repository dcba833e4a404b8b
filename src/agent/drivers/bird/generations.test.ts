import { mkdtemp, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../clock.ts";
import { createFakeBird, type FakeBird } from "../../fixtures/fake-bird.ts";
import { RouterRefused } from "../router.ts";
import { type BirdFiles, createGenerations, type GenerationChange, type Generations } from "./generations.ts";

let folder = "";
let bird: FakeBird;
let generations: Generations;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-generations-"));
  bird = createFakeBird(folder);
  generations = createGenerations({ folder, bird: bird.control, clock: systemClock });
  await generations.recover();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const nameOf = (peer: number) => `dn42_424242000${peer}`;

function filesOf(...peers: readonly number[]): BirdFiles {
  return new Map(peers.map((peer) => [`${nameOf(peer)}.conf`, `protocol bgp ${nameOf(peer)} {}\n`]));
}

function changeTo(files: BirdFiles, more: Partial<GenerationChange> = {}): GenerationChange {
  return { files, beforeSwap: async () => {}, report: () => {}, ...more };
}

/** The peerings that BIRD runs, without what names their generation. */
const running = () => new Map([...bird.running()].filter(([name]) => name !== "generation.conf"));
const links = () => Promise.all(["current", "confirmed"].map((link) => readlink(join(folder, link))));

test("changes go back and forth between two generations, each confirmed", async () => {
  const steps: string[] = [];
  await generations.apply(changeTo(filesOf(1), { report: (step) => steps.push(step) }));
  expect(await links()).toEqual(["b", "b"]);
  await generations.apply(changeTo(filesOf(1, 2)));
  expect(await links()).toEqual(["a", "a"]);
  await generations.apply(changeTo(filesOf(2)));
  expect(await links()).toEqual(["b", "b"]);
  expect(running()).toEqual(filesOf(2));
  expect(generations.runs(filesOf(2))).toBe(true);
  expect(generations.runs(filesOf(1, 2))).toBe(false);
  // Nobody's timer runs on.
  bird.timeOut();
  expect(running()).toEqual(filesOf(2));
  expect(steps).toEqual([
    "Wrote the new configuration beside the running one.",
    "BIRD parsed the new configuration and runs it.",
    "The router's health check passed, and the configuration was confirmed.",
  ]);
});

const broken: BirdFiles = new Map([["dn42_4242420009.conf", "broken"]]);

test.each<readonly [string, BirdFiles, string, string, string]>([
  [
    "BIRD refuses the files",
    broken,
    "",
    "",
    "BIRD refused the new configuration: peer.conf:1:1 syntax error.",
  ],
  [
    "BIRD reads other files",
    filesOf(1, 2),
    "eval peerdeck_generation",
    "9001 syntax error, unexpected CF_SYM_UNDEFINED",
    "The new configuration was taken back: BIRD does not read the new files: its configuration must include <folder>/current/*.conf.",
  ],
  [
    "the confirmation comes too late",
    filesOf(1, 2),
    "configure confirm",
    "0019 Nothing to do",
    "The new configuration was taken back: BIRD did not confirm the new configuration: Nothing to do.",
  ],
])("where %s, files and BIRD are what they were", async (_, files, command, line, reason) => {
  await generations.apply(changeTo(filesOf(1)));
  if (command !== "") bird.answer(command, line);
  const refusal = await generations.apply(changeTo(files)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RouterRefused);
  expect((refusal as RouterRefused).reason.replace(folder, "<folder>")).toBe(reason);
  expect(await links()).toEqual(["b", "b"]);
  expect(running()).toEqual(filesOf(1));
  expect(generations.runs(filesOf(1))).toBe(true);
});

test("where what comes before the swap fails, BIRD hears nothing", async () => {
  const heard = bird.commands.length;
  const failing = changeTo(filesOf(1), { beforeSwap: () => Promise.reject(new Error("no tunnel")) });
  await expect(generations.apply(failing)).rejects.toThrow("no tunnel");
  expect(bird.commands).toHaveLength(heard);
  expect(await links()).toEqual(["a", "a"]);
});

/** The commands of one apply, each cut off before and after BIRD carried it out; and what BIRD does meanwhile. */
const cuts = [1, 2, 3, 4].flatMap((at) =>
  [false, true].flatMap((done) =>
    (["goes on", "times out", "is restarted"] as const).map((meanwhile) => ({ at, done, meanwhile })),
  ),
);

test.each(cuts)(
  "killed at command $at (carried out: $done) while BIRD $meanwhile: the old or the new generation, whole",
  async ({ at, done, meanwhile }) => {
    await generations.apply(changeTo(filesOf(1, 2)));
    const reached = bird.cut(at, done);
    void generations.apply(changeTo(filesOf(2, 3)));
    await reached;
    if (meanwhile === "times out") bird.timeOut();
    if (meanwhile === "is restarted") await bird.restart();
    void bird.cut(Infinity, false);
    const next = createGenerations({ folder, bird: bird.control, clock: systemClock });
    await next.recover();
    bird.timeOut();
    expect(running()).toEqual(filesOf(1, 2));
    expect(next.runs(filesOf(1, 2))).toBe(true);
    expect(await links()).toEqual(["b", "b"]);
    await next.apply(changeTo(filesOf(2, 3)));
    bird.timeOut();
    expect(running()).toEqual(filesOf(2, 3));
  },
);
