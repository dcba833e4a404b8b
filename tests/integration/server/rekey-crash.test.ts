/**
 * A server or an agent that dies between two steps of a rekey. A statement that writes, or a request to the agent, is a step: it
 * fails before it is done, or, for a request, its response is lost. The transaction is undone, and another server goes on.
 */
import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { describeWithDatabase } from "../../support/databases.ts";
import { shareOfNumbers } from "../../support/share-of-commit.ts";
import { dayMs, one, openRekeyScene, type RekeyScene, three, two } from "./rekey-scene.ts";

/** Fails from the n-th step on, as a process that does not run any more does. */
function createCrash(atStep: number) {
  let steps = 0;
  const step = () => {
    steps += 1;
    if (steps >= atStep) throw new Error("crashed");
  };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"].includes(node.kind)) step();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { step, plugin, hasCrashed: () => steps >= atStep };
}

/** Another server, which crashes at this step of its own. */
async function crashServer(scene: RekeyScene, atStep: number) {
  const crash = createCrash(atStep);
  const ask = (async (name: never, call: never, body: never) => {
    crash.step();
    const response = await scene.agents.ask(name, call, body);
    crash.step();
    return response;
  }) as never;
  const db = scene.deps.db.withPlugin(crash.plugin);
  await scene.restart({ db, agents: { ...scene.agents, ask } });
  return crash;
}

/** Lets the job run until it has done everything there is to do now, or has crashed. Then a server without faults goes on. */
async function surviveCrash(scene: RekeyScene, hasCrashed: () => boolean, isDone: () => Promise<boolean>) {
  await expect
    .poll(
      async () => {
        scene.signal();
        return hasCrashed() || (await isDone());
      },
      { timeout: 10_000, interval: 10 },
    )
    .toBe(true);
  await scene.restart();
  await scene.until(async () => expect(await isDone()).toBe(true));
}

describeWithDatabase("a crash during a rekey", { postgres: "share" }, (openTestDatabase) => {
  test.each(shareOfNumbers().filter((step) => step <= 45))(
    "at step %i leaves each tunnel with one of the two keys, and ends in the same state",
    async (atStep) => {
      const scene = await openRekeyScene(await openTestDatabase());
      for (const asn of [one, two, three]) await scene.addPeering(asn);
      const expectKnownKeys = async () => {
        const { keys } = await scene.facts();
        for (const key of Object.values(await scene.runningKeys()))
          expect([undefined, ...keys.slice(1)]).toContain(key);
        expect(keys.length).toBeLessThanOrEqual(2);
      };

      const isSettled = async () => (await scene.switches()).every((row) => row.deployed_at !== null);

      await scene.start();
      const announcing = await crashServer(scene, atStep);
      await surviveCrash(scene, announcing.hasCrashed, async () => (await scene.rekey())?.new_key !== null);
      await expectKnownKeys();
      const key = (await scene.rekey())?.new_key;
      expect(await scene.takeNotices()).toEqual([one, two, three].map((asn) => `nodeRekey ${asn}`));

      for (const asn of [one, two]) await scene.switchKey(asn);
      const switching = await crashServer(scene, atStep);
      await surviveCrash(scene, switching.hasCrashed, isSettled);
      const returning = await crashServer(scene, atStep);
      for (let minute = 1; minute <= 6; minute += 1) await scene.observe(1, { [one]: 5, [two]: null });
      await surviveCrash(scene, returning.hasCrashed, async () => (await scene.switches()).length === 0);
      await expectKnownKeys();
      expect(await scene.runningKeys()).toEqual({ [one]: key, [two]: undefined, [three]: undefined });
      expect(await scene.takeNotices()).toEqual([`nodeKeyReturned ${two}`]);

      scene.time.now += 15 * dayMs;
      const ending = await crashServer(scene, atStep);
      const hasEnded = async () => (await scene.rekey()) === null && (await isSettled());
      await surviveCrash(scene, ending.hasCrashed, hasEnded);
      expect(await scene.runningKeys()).toEqual({ [one]: key, [two]: key, [three]: key });
      expect(await scene.takeNotices()).toEqual([`nodeKeyChanged ${two}`, `nodeKeyChanged ${three}`]);
      expect((await scene.facts()).keys).toHaveLength(2);
      const events = await scene.audited();
      for (const kind of ["node-rekey-announced", "node-key-switched ", "node-key-switched-by-server"])
        expect(events.filter((event) => event.startsWith(kind))).toHaveLength(
          kind.includes("announced") ? 3 : 2,
        );
      expect(scene.applied.toSorted()).toEqual([one, two, two, two, three]);
    },
  );
});
