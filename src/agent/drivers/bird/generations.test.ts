import { readlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import type { FindingCode } from "#domain/findings/findings.ts";
import { systemClock } from "../../clock.ts";
import { createFakeBird, type FakeBird } from "../../fixtures/fake-bird.ts";
import { createSetRecord } from "../../fixtures/set-record.ts";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { RouterRefusedError } from "../router.ts";
import { renderBirdPeering } from "./render.ts";
import { runSteps } from "../linux/apply-steps.ts";
import { type BirdFiles, createGenerations, type Generations } from "./generations.ts";

let folder = "";
let bird: FakeBird;
let generations: Generations;
const beforeConfigure = async () => {};

beforeEach(async () => {
  folder = await createFolder();
  bird = createFakeBird(folder);
  generations = createGenerations({ folder, bird: bird.control, beforeConfigure, clock: systemClock });
  await generations.recover();
});

const sessionName = (peer: number) => `dn42_424242000${peer}`;

function filesOf(...peers: readonly number[]): BirdFiles {
  return new Map(
    peers.map((peer) => [`${sessionName(peer)}.conf`, `protocol bgp ${sessionName(peer)} {}\n`]),
  );
}

const nothing = async () => {};

/** Makes a change as an apply does, with another step beside the writing of its files, and one after that. */
async function apply(
  files: BirdFiles,
  { to = generations, report = createSetRecord(), beforeLoad = nothing, afterLoad = nothing } = {},
): Promise<void> {
  const change = to.change(files, report);
  const undone = await runSteps([
    [
      { run: change.write, undo: change.discard },
      { run: beforeLoad, undo: nothing },
    ],
    [{ run: change.load, undo: change.unload }],
    [{ run: afterLoad, undo: nothing }],
    [{ run: change.confirm, undo: nothing }],
  ]);
  if (undone) throw undone.error;
}

/** The peerings that BIRD runs, without the marker file. */
const running = () => new Map([...bird.running()].filter(([name]) => name !== "generation.conf"));
const links = () => Promise.all(["current", "confirmed"].map((link) => readlink(join(folder, link))));

test("changes alternate between two generations, each confirmed", async () => {
  const report = createSetRecord();
  await apply(filesOf(1), { report });
  expect(await links()).toEqual(["b", "b"]);
  await apply(filesOf(1, 2));
  expect(await links()).toEqual(["a", "a"]);
  await apply(filesOf(2));
  expect(await links()).toEqual(["b", "b"]);
  expect(running()).toEqual(filesOf(2));
  expect(generations.isCurrent(filesOf(2))).toBe(true);
  expect(generations.isCurrent(filesOf(1, 2))).toBe(false);
  // No undo timer is left.
  bird.expireTimeout();
  expect(running()).toEqual(filesOf(2));
  expect(report.steps).toEqual(["files-written", "bird-loaded", "(sessions)", "confirmed"]);
});

const broken: BirdFiles = new Map([["dn42_4242420009.conf", "broken"]]);

test.each<readonly [string, BirdFiles, string, string, FindingCode, string]>([
  ["BIRD refuses the files", broken, "", "", "bird-refused", "peer.conf:1:1 syntax error"],
  [
    "BIRD reads other files",
    filesOf(1, 2),
    "eval peerdeck_generation",
    "9001 syntax error, unexpected CF_SYM_UNDEFINED",
    "health-check-failed",
    "BIRD does not read the new files: its configuration must include <folder>/current/*.conf",
  ],
  [
    "the confirmation comes too late",
    filesOf(1, 2),
    "configure confirm",
    "0019 Nothing to do",
    "health-check-failed",
    "BIRD did not confirm the new configuration: Nothing to do",
  ],
])("files and BIRD get their previous state when %s", async (_, files, command, line, code, detail) => {
  await apply(filesOf(1));
  if (command !== "") bird.replyWith(command, line);
  const commandCount = bird.commands.length;
  const refusal = await apply(files).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RouterRefusedError);
  // Only the message, which is for the log, has the detail.
  expect(refusal).toMatchObject({
    finding: { code, facts: {} },
    message: expect.stringContaining(`: ${detail.replace("<folder>", folder)}`),
  });
  expect(await links()).toEqual(["b", "b"]);
  expect(running()).toEqual(filesOf(1));
  expect(generations.isCurrent(filesOf(1))).toBe(true);
  // BIRD has not read files that others may be editing.
  expect(bird.commands.slice(commandCount)).not.toContain("configure");
});

const rendered = (disabled: readonly string[]) =>
  renderBirdPeering(routed(peeringOf(1)), { providerAsn: "4242422227", disabled: new Set(disabled) });

test("a session that the operator disabled stays so when BIRD returns to a configuration that enables it", async () => {
  const change = (disabled: readonly string[]) =>
    apply(new Map([[`${sessionName(1)}.conf`, rendered(disabled)]]));
  await change([]);
  const states = async () => {
    const { lines } = await bird.control(`show protocols "dn42_*"`);
    return lines.flatMap(({ text }) => /BGP +--- +(\w+)/.exec(text)?.[1] ?? []);
  };
  await bird.control(`disable ${sessionName(1)}`);
  bird.replyWith("configure confirm", "0019 Nothing to do");
  await expect(change([sessionName(1)])).rejects.toThrow(RouterRefusedError);
  expect(await states()).toEqual(["down"]);
  // An agent that finds BIRD with another configuration loads the confirmed one.
  bird.replyWith("eval peerdeck_generation", "0023 0123");
  expect(await generations.recover()).toEqual({ code: "bird-reloaded", facts: {} });
  expect(await states()).toEqual(["down"]);
});

const fail = () => Promise.reject(new Error("no tunnel"));

test("BIRD gets no command when a step before it fails", async () => {
  const commandCount = bird.commands.length;
  await expect(apply(filesOf(1), { beforeLoad: fail })).rejects.toThrow("no tunnel");
  expect(bird.commands).toHaveLength(commandCount);
  expect(await links()).toEqual(["a", "a"]);
});

/**
 * Every command of one apply, interrupted before and after BIRD executed it, combined with what BIRD does
 * meanwhile.
 */
const interruptions = [1, 2, 3, 4].flatMap((at) =>
  [false, true].flatMap((done) =>
    (["continues", "times out", "is restarted"] as const).map((meanwhile) => ({ at, done, meanwhile })),
  ),
);

test.each(interruptions)("killed at command $at (done: $done), BIRD $meanwhile", async (interruption) => {
  const { at, done, meanwhile } = interruption;
  await apply(filesOf(1, 2));
  const reached = bird.disconnectAt(at, done);
  void apply(filesOf(2, 3));
  await reached;
  if (meanwhile === "times out") bird.expireTimeout();
  if (meanwhile === "is restarted") await bird.restart();
  void bird.disconnectAt(Infinity, false);
  const next = createGenerations({ folder, bird: bird.control, beforeConfigure, clock: systemClock });
  await next.recover();
  bird.expireTimeout();
  expect(running()).toEqual(filesOf(1, 2));
  expect(next.isCurrent(filesOf(1, 2))).toBe(true);
  expect(await links()).toEqual(["b", "b"]);
  await apply(filesOf(2, 3), { to: next });
  bird.expireTimeout();
  expect(running()).toEqual(filesOf(2, 3));
});
