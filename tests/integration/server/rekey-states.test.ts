/** The way of a node and its peerings to another WireGuard key, in both databases. */
import { expect, test } from "vitest";
import { readNodeKeys } from "#server/agents/node-facts.ts";
import { followNodeKey } from "#server/features/peerings/node-keys/follow-node-key.ts";
import { readCurrentKey } from "#server/features/peerings/node-keys/rekey-rows.ts";
import { applyRecoveryPlan, readRecoveryPlan } from "#server/features/peerings/recovery/recover-node.ts";
import { describeWithDatabase } from "../../support/databases.ts";
import { dayMs, node, one, openRekeyScene, three, two } from "./rekey-scene.ts";

describeWithDatabase("another key of a node", { postgres: "always" }, (openTestDatabase) => {
  const scene = async (...asns: readonly string[]) => {
    const opened = await openRekeyScene(await openTestDatabase());
    for (const asn of asns) await opened.addPeering(asn);
    return opened;
  };

  test("is announced once to every participant of the node, and changes no tunnel", async () => {
    const { start, announce, signal, db, facts, ...rest } = await scene(one, two);
    expect(await start()).toBe(true);
    expect(await start()).toBe(false);
    const key = await announce();
    const { publicKey: first, keys } = await facts();
    expect(keys).toEqual([first, key]);
    expect(await rest.takeNotices()).toEqual([`nodeRekey ${one}`, `nodeRekey ${two}`]);
    expect(await readCurrentKey(db, node)).toBe(key);
    expect((await readNodeKeys(db, [node])).get(node)).toBe(key);
    signal();
    await rest.follow();
    expect(rest.applied).toEqual([]);
    expect(await rest.takeNotices()).toEqual([]);
    expect(rest.notified).toEqual([one, two]);
    expect(await rest.audited()).toEqual([
      "node-rekey-started",
      `node-rekey-announced ${one}`,
      `node-rekey-announced ${two}`,
    ]);
  });

  test("is deployed to the tunnel that its participant switches, and confirmed by a handshake", async () => {
    const { start, announce, switchKey, applied, until, keyOf, observe, ...rest } = await scene(one, two);
    await start();
    const key = await announce();
    await rest.takeNotices();
    const task = await switchKey(one);
    expect((await switchKey(one)).taskID).toBe(task.taskID);
    await until(async () => expect(await rest.switches()).toMatchObject([{ deployed_at: rest.time.now }]));
    expect(applied).toEqual([one]);
    expect(await rest.runningKeys()).toEqual({ [one]: key, [two]: undefined });
    expect((await switchKey(one)).taskID).toBe(task.taskID);
    expect(await rest.outdated()).toEqual({ [one]: key });
    await observe(1, { [one]: null, [two]: 5 });
    expect(await rest.outdated()).toEqual({ [one]: key });
    // The first handshake may have come before the deployment ended.
    await observe(1, { [one]: 121, [two]: 5 });
    expect(await rest.outdated()).toEqual({});
    expect(await rest.switches()).toEqual([]);
    await observe(10, { [one]: null });
    await rest.restart();
    await expect(switchKey(one)).rejects.toMatchObject({ status: 409 });
    expect(await keyOf(one)).toBe(key);
    expect(await rest.takeNotices()).toEqual([]);
  });

  test("goes back after five observed minutes without a handshake, and can be switched again", async () => {
    const { start, announce, switchKey, applied, until, observe, switches, ...rest } = await scene(one, two);
    await start();
    const key = await announce();
    await rest.takeNotices();
    await switchKey(one);
    await until(async () => expect(await switches()).toMatchObject([{ deployed_at: rest.time.now }]));
    for (let minute = 1; minute <= 4; minute += 1) await observe(1, { [one]: null });
    rest.signal();
    expect(await switches()).toMatchObject([{ return_task: null }]);
    await observe(1, { [one]: null });
    await until(async () => expect(await switches()).toEqual([]));
    expect(applied).toEqual([one, one]);
    expect(await rest.runningKeys()).toEqual({ [one]: undefined, [two]: undefined });
    expect(await rest.outdated()).toEqual({});
    expect(await rest.takeNotices()).toEqual([`nodeKeyReturned ${one}`]);
    await switchKey(one);
    await until(async () => expect(await switches()).toMatchObject([{ deployed_at: rest.time.now }]));
    expect(await rest.runningKeys()).toEqual({ [one]: key, [two]: undefined });
    expect((await rest.audited()).filter((event) => event.startsWith("node-key"))).toEqual([
      `node-key-switched ${one}`,
      `node-key-returned ${one}`,
      `node-key-switched ${one}`,
    ]);
  });

  test("does not go back for the time in which no server observed the tunnel", async () => {
    const { start, announce, switchKey, until, observe, switches, keyOf, ...rest } = await scene(one);
    await start();
    const key = await announce();
    await switchKey(one);
    await until(async () => expect(await switches()).toMatchObject([{ deployed_at: rest.time.now }]));
    await observe(1, { [one]: null });
    await rest.restart();
    await observe(60, { [one]: null });
    for (let minute = 1; minute <= 4; minute += 1) await observe(1, { [one]: null });
    await until(async () => expect(await keyOf(one)).toBe(key));
    expect(await switches()).toMatchObject([{ return_task: null }]);
    await observe(1, { [one]: 3 });
    expect(await switches()).toEqual([]);
    expect(await rest.outdated()).toEqual({});
  });

  test("stays when the node does not take the old key again, which is tried later", async () => {
    const { start, announce, switchKey, until, observe, switches, ...rest } = await scene(one);
    await start();
    const key = await announce();
    await switchKey(one);
    await until(async () => expect(await switches()).toMatchObject([{ deployed_at: rest.time.now }]));
    await rest.takeNotices();
    rest.setGuard(async (path) => {
      if (path === "/v1/apply") throw new Error("connection refused");
    });
    for (let minute = 1; minute <= 5; minute += 1) await observe(1, { [one]: null });
    await until(async () => expect(await rest.audited()).toContain(`deployment-failed ${one}`));
    await until(async () => expect(await switches()).toMatchObject([{ return_task: null }]));
    expect(await rest.keyOf(one)).toBe(key);
    expect(await rest.takeNotices()).toEqual([]);
    rest.setGuard(async () => undefined);
    for (let minute = 1; minute <= 5; minute += 1) await observe(1, { [one]: null });
    await until(async () => expect(await switches()).toEqual([]));
    expect(await rest.runningKeys()).toEqual({ [one]: undefined });
  });

  test("is deployed to the rest at the date, without going back, and the first key stays", async () => {
    const { start, announce, until, observe, switches, time, ...rest } = await scene(one, two, three);
    await start();
    const key = await announce();
    await rest.switchKey(one);
    await until(async () => expect(await switches()).toMatchObject([{ deployed_at: time.now }]));
    await observe(1, { [one]: 5 });
    await rest.takeNotices();
    time.now += 14 * dayMs;
    await until(async () => expect(await rest.rekey()).toBeNull());
    await until(async () => expect((await switches()).every((row) => row.deployed_at !== null)).toBe(true));
    expect(rest.applied.toSorted()).toEqual([one, two, three]);
    expect(await rest.runningKeys()).toEqual({ [one]: key, [two]: key, [three]: key });
    expect(await rest.takeNotices()).toEqual([`nodeKeyChanged ${two}`, `nodeKeyChanged ${three}`]);
    expect((await rest.facts()).keys).toHaveLength(2);
    for (let minute = 1; minute <= 10; minute += 1) await observe(1, { [two]: null, [three]: 5 });
    expect(await rest.outdated()).toEqual({ [two]: key });
    expect(await rest.runningKeys()).toEqual({ [one]: key, [two]: key, [three]: key });
    await observe(1, { [two]: 5 });
    expect(await rest.outdated()).toEqual({});
    expect(await rest.audited()).toContain("node-rekey-ended");
  });

  test("replaces an added key, which the node then loses", async () => {
    const { start, announce, until, time, ...rest } = await scene(one);
    const keys: string[] = [];
    for (const _round of ["first", "second"]) {
      await start();
      keys.push(await announce());
      time.now += 15 * dayMs;
      await until(async () => expect(await rest.rekey()).toBeNull());
    }
    const { publicKey: first } = await rest.facts();
    expect((await rest.facts()).keys).toEqual([first, keys[1]]);
    expect(await rest.runningKeys()).toEqual({ [one]: keys[1] });
    // The deployment of the key before this one has just ended.
    await start();
    const last = await announce();
    await rest.switchKey(one);
    await until(async () => expect(await rest.runningKeys()).toEqual({ [one]: last }));
  });

  test("waits for a node that does not respond, and gives its participants the time that was meant", async () => {
    const { start, announce, until, time, setGuard, ...rest } = await scene(one);
    setGuard(async () => {
      throw new Error("connection refused");
    });
    await start();
    rest.signal();
    time.now += 20 * dayMs;
    setGuard(async () => undefined);
    await rest.restart();
    await announce();
    expect(await rest.rekey()).toMatchObject({ announced_at: time.now, switch_at: time.now + 14 * dayMs });
    let requests = 0;
    setGuard(async () => {
      requests += 1;
      throw new Error("connection refused");
    });
    time.now += 14 * dayMs;
    await until(() => expect(requests).toBeGreaterThan(0));
    expect(await rest.audited()).not.toContain(`node-key-switched-by-server ${one}`);
    setGuard(async () => undefined);
    await rest.restart();
    await until(async () => expect(await rest.rekey()).toBeNull());
  });

  test("is cancelled while no tunnel has it, and the node loses it", async () => {
    const { start, announce, until, cancel, ...rest } = await scene(one);
    expect(await cancel()).toEqual({ outcome: "none" });
    await start();
    await announce();
    await rest.takeNotices();
    expect(await cancel()).toEqual({ outcome: "cancelled", notified: [one] });
    expect(await rest.takeNotices()).toEqual([`nodeRekeyCancelled ${one}`]);
    await expect(rest.switchKey(one)).rejects.toMatchObject({ status: 409 });
    await until(async () => expect((await rest.facts()).keys).toHaveLength(1));
    expect(await readCurrentKey(rest.db, node)).toBeUndefined();
    await start();
    await announce();
    await rest.switchKey(one);
    expect(await cancel()).toEqual({ outcome: "switched", asns: [one] });
  });

  test("is that of recovered peerings, and of new ones after a recovery", async () => {
    const { start, announce, until, time, db, ...rest } = await scene(one, two);
    await start();
    const key = await announce();
    time.now += 15 * dayMs;
    await until(async () => expect(await rest.rekey()).toBeNull());
    for (const table of ["peerings", "tasks", "node_facts", "node_key_switches"] as const)
      await db.deleteFrom(table).execute();
    await db
      .updateTable("database_identity")
      .set({ id: "another" } as never)
      .execute();
    await rest.follow();
    expect(await readCurrentKey(db, node)).toBeUndefined();
    const deps = { ...rest.deps, db };
    await applyRecoveryPlan(deps, await readRecoveryPlan(deps, { name: node, linkLocal: "fe80::2227" }));
    await rest.follow();
    expect(await rest.keyOf(one)).toBe(key);
    expect(await rest.outdated()).toEqual({});
    expect(await readCurrentKey(db, node)).toBe(key);
  });

  test("that the node has lost is left by its tunnels, and their participants are notified", async () => {
    const { start, announce, until, switches, ...rest } = await scene(one, two);
    await start();
    const key = await announce();
    await rest.switchKey(one);
    await until(async () => expect(await switches()).toMatchObject([{ deployed_at: rest.time.now }]));
    await rest.observe(1, { [one]: 5 });
    await rest.takeNotices();
    const { publicKey: first } = await rest.facts();
    const ask = async () => ({ ...(await rest.facts()), keys: [first] });
    await followNodeKey({ ...rest.deps, agents: { ...rest.agents, ask } as never }, node);
    expect(await rest.keyOf(one)).toBeUndefined();
    expect(await rest.outdated()).toEqual({ [one]: first });
    expect(await rest.takeNotices()).toEqual([`nodeKeyChanged ${one}`]);
    expect(await rest.rekey()).toMatchObject({ new_key: null });
    expect(key).not.toBe(first);
  });
});
