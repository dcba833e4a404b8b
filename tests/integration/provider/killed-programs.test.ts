/**
 * A server or an agent is killed while the operator changes a node: each peering has an owner at any time, none changes that is not
 * to be changed, and the end is the same as without it. A campaign with EVERY_CASE=1; otherwise a share of the steps of one change.
 */
import { describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { shareOfDatabases } from "../../support/databases.ts";
import { isEveryCase, oneOfCommit, shareOfCommit } from "../../support/share-of-commit.ts";
import { deployPeering, waitForTask } from "../server/participant.ts";
import {
  type KilledPrograms,
  node,
  openKilledPrograms,
  settle,
  type Victim,
  victims,
} from "./killed-programs.ts";
import type { StoredPeering } from "./provider.ts";

const asns = ["4242420001", "4242420002", "4242420003", "4242420004"] as const;
const [ada, bram, celia] = asns;

/** Changes the node while the victim is killed before a step. Returns whether it was killed. */
type Change = (programs: KilledPrograms, victim: Victim, step: number) => Promise<boolean>;

async function remove(programs: KilledPrograms, victim: Victim, step: number): Promise<boolean> {
  // Changes of one peering are limited, so two pairs take turns.
  for (const index of step % 2 === 0 ? [0, 1] : [2, 3])
    await deployPeering(programs.participant(index), node);
  const [row = {}] = await programs.query("SELECT * FROM nodes");
  const { isKilled, violations } = await programs.runKilled(victim, step, async () => {
    expect(await programs.run("remove", node, "--yes")).toMatchObject({ code: 0 });
    await settle(async () => expect(await programs.readColumn("name", "removed_nodes")).toEqual([]));
  });
  expect(violations).toEqual([]);
  expect(await programs.readColumn("asn", "peerings")).toEqual([]);
  expect(await programs.readRunning()).toEqual([]);
  await programs.joinAgain(row);
  return isKilled;
}

async function removeAndKeep(programs: KilledPrograms, victim: Victim, step: number): Promise<boolean> {
  const { before, findChanged } = await watchPeerings(programs);
  const [row = {}] = await programs.query("SELECT * FROM nodes");
  const options = { isKept: true, findOthers: findChanged };
  const change = async () => {
    expect(await programs.run("remove", node, "--keep", "--yes")).toMatchObject({ code: 0 });
    await settle(async () => expect(await programs.readNodesFile()).toBe(undefined));
  };
  const { isKilled, violations } = await programs.runKilled(victim, step, change, options);
  expect(violations).toEqual([]);
  expect(await programs.readColumn("asn", "peerings")).toEqual([]);
  await programs.joinAgain(row);
  await settle(async () => expect(await programs.recover()).toMatchObject({ code: 0 }));
  expect((await programs.readColumn("asn", "peerings")).toSorted()).toEqual(before.map(({ asn }) => asn));
  return isKilled;
}

async function changeState(programs: KilledPrograms, victim: Victim, step: number): Promise<boolean> {
  const { findChanged } = await watchPeerings(programs);
  const [capacity, address] = [5 + (step % 2), `192.0.2.${step + 10}`];
  const change = async () => {
    for (const [command = "", ...args] of [
      ["close"],
      ["limit", String(capacity)],
      ["close", "--draining"],
      ["move", "--address", address],
      ["open"],
    ])
      expect(await programs.run(command, node, ...args)).toMatchObject({ code: 0 });
    await settle(async () =>
      expect(await programs.readPublicNode()).toMatchObject({
        state: "open",
        capacity,
        endpoints: [address],
      }),
    );
    await settle(async () =>
      expect(await programs.readNodesFile()).toMatchObject({ state: "open", publicIp: address }),
    );
  };
  const { isKilled, violations } = await programs.runKilled(victim, step, change, {
    findOthers: findChanged,
  });
  expect(violations).toEqual([]);
  return isKilled;
}

/** Returns the peerings of the node, which it gets at the first call, and a check that they have not changed. */
async function watchPeerings(programs: KilledPrograms) {
  if ((await programs.readColumn("asn", "peerings")).length === 0)
    for (const index of [0, 1]) await deployPeering(programs.participant(index), node);
  const before = await programs.readRunning();
  const textOf = ({ asn, generation, routed }: (typeof before)[number]) =>
    JSON.stringify({ asn, generation, routed });
  const texts = before.map(textOf);
  const findChanged = (running: readonly StoredPeering[]) =>
    JSON.stringify(running.map(textOf)) === JSON.stringify(texts) ? [] : ["a peering has changed"];
  return { before, findChanged };
}

/** The key of a tunnel; undefined: the node's first one. */
const keyOf = (asn: string, running: readonly StoredPeering[]) =>
  running.find((one) => one.asn === asn)?.routed?.peering.nodeKey;

/** The first participant switches in time, the second one never does, and the router of the third one did not follow. */
async function rekey(programs: KilledPrograms, victim: Victim, step: number): Promise<boolean> {
  if ((await programs.readColumn("asn", "peerings")).length === 0) {
    for (const index of [0, 1]) await deployPeering(programs.participant(index), node);
    // The port of a simulated participant without a handshake.
    await deployPeering(programs.participant(2), node, { remote_port: "9" });
  }
  const before = await programs.readRunning();
  const oldKey = keyOf(bram, before);
  let newKey: string | undefined;
  let isDue = false;
  const countTasks = async (asn: string) =>
    (await programs.readColumn("id", `tasks WHERE asn = '${asn}'`)).length;
  const tasks = await Promise.all([ada, bram, celia].map(countTasks));

  const switchKey = async (index: number) => {
    const { asn } = programs.participant(index);
    await settle(async () => {
      const participant = programs.participant(index);
      const { taskID } = await participant.call(calls.switchNodeKey, { username: asn, node });
      expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
    });
  };
  const change = async () => {
    expect(await programs.run("rekey", node, "--in", "1d")).toMatchObject({ code: 0 });
    newKey = await settle(async () => {
      const [key] = await programs.readColumn("new_key", "node_rekeys WHERE new_key IS NOT NULL");
      if (key === undefined) throw new Error("the new key is not announced");
      return key;
    });
    for (const index of [0, 2]) await switchKey(index);
    await settle(async () => {
      // As observed for five minutes without a handshake.
      await programs.query(
        `UPDATE node_key_switches SET seen_at = deployed_at, watched_from = deployed_at - 300000
          WHERE asn = '${celia}' AND deployed_at IS NOT NULL AND return_task IS NULL`,
      );
      expect(await programs.readColumn("asn", `node_key_switches WHERE asn = '${celia}'`)).toEqual([]);
      expect(keyOf(celia, await programs.readRunning())).toBe(oldKey);
    });
    expect(keyOf(ada, await programs.readRunning())).toBe(newKey);
    isDue = true;
    await programs.query(`UPDATE node_rekeys SET switch_at = ${Date.now()}`);
    await settle(async () => expect(await programs.readColumn("node", "node_rekeys")).toEqual([]));
  };
  const findOthers = (running: readonly StoredPeering[]) => [
    ...running.flatMap(({ asn, routed }) => {
      const key = routed?.peering.nodeKey;
      return key === oldKey || newKey === undefined || key === newKey ? [] : [`AS${asn} has the key ${key}`];
    }),
    ...(isDue || keyOf(bram, running) === oldKey ? [] : [`AS${bram} was switched`]),
    ...(running.length === before.length ? [] : ["a peering does not run"]),
  ];
  const { isKilled, violations } = await programs.runKilled(victim, step, change, { findOthers });
  expect(violations).toEqual([]);
  expect((await programs.readRunning()).map(({ routed }) => routed?.peering.nodeKey)).toEqual(
    before.map(() => newKey),
  );
  expect(await programs.readKeyIds()).toHaveLength(1);
  const added = (await Promise.all([ada, bram, celia].map(countTasks))).map(
    (count, index) => count - (tasks[index] ?? 0),
  );
  expect(added).toEqual([1, 1, 3]);
  return isKilled;
}

/**
 * With how many steps of server and agent a share of them is killed. A server takes more, some of them by the clock. An agent has
 * no part in the changes without such a number.
 */
const changes: ReadonlyArray<readonly [string, Change, Readonly<Partial<Record<Victim, number>>>]> = [
  ["a removal", remove, { server: 20, agent: 3 }],
  ["a removal with --keep", removeAndKeep, { server: 20 }],
  ["changes of its state", changeState, { server: 20 }],
  ["a rekey", rekey, { server: 60, agent: 8 }],
];
const cases = changes.flatMap(([name, change, steps]) =>
  victims.flatMap((victim) => {
    const count = steps[victim];
    return count === undefined ? [] : [[victim, name, change, count] as const];
  }),
);

describe.each(shareOfDatabases("killed programs"))("with %s", (kind) => {
  test.each(oneOfCommit(cases))(
    "killed before any step of the %s, %s ends as without it",
    async (victim, _name, change, steps) => {
      await using parts = new AsyncDisposableStack();
      const programs = await openKilledPrograms(kind, parts);
      for (const asn of asns) await programs.signUp(asn);
      const numbers = Array.from({ length: isEveryCase() ? 10 * steps : steps }, (_, index) => index + 1);
      let kills = 0;
      for (const step of shareOfCommit(numbers, Math.ceil(steps / 2))) {
        if (!(await change(programs, victim, step))) break;
        kills += 1;
      }
      expect(kills).toBeGreaterThan(0);
    },
    3_600_000,
  );
});
