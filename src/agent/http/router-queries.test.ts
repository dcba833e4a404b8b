import { expect, test } from "vitest";
import { agentCalls } from "../../contract/agent.ts";
import { type CallError, createCaller } from "../../contract/client.ts";
import { createAgent } from "../agent.ts";
import { systemClock } from "../clock.ts";
import { simulatedResolver } from "../drivers/simulated/simulated-resolver.ts";
import { createSimulatedRouter } from "../drivers/simulated/simulated-router.ts";
import { createMemoryEventStore } from "../fixtures/memory-event-store.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { dualStackOf, rules, sender } from "../fixtures/peerings.ts";
import { silentLog } from "../fixtures/silent-log.ts";
import { createInProcessTransport } from "../simulated-agent.ts";
import { withProtocol } from "../../contract/agent/agent-protocol.ts";

test("queries beyond the limits of the node are rejected, and delay no change and no observation", async () => {
  const hung = Promise.withResolvers<{ result: "failed"; output: string }>();
  const running: string[] = [];
  const simulated = createSimulatedRouter({
    node: "syd01",
    nodes: ["syd01"],
    providerAsn: rules.providerAsn,
    clock: systemClock,
    timeScale: 0,
  });
  const router = {
    ...simulated,
    ping: (asn: string) => {
      running.push(asn);
      return hung.promise;
    },
  };
  await using agent = await createAgent({
    node: "syd01",
    router,
    resolver: simulatedResolver,
    store: createMemoryStore(),
    eventStore: createMemoryEventStore(),
    rules,
    clock: systemClock,
    log: silentLog,
  });
  const call = createCaller(withProtocol(createInProcessTransport(agent.handle, 60_000)));
  const apply = async (n: number) => {
    const desired = dualStackOf(n);
    return call(agentCalls.apply, { ...sender, asn: desired.asn, generation: n, desired });
  };
  for (const n of [1, 2, 3]) expect(await apply(n)).toMatchObject({ outcome: "applied" });

  const errors: unknown[] = [];
  const pings = [1, 2, 3].flatMap((n) =>
    Array.from({ length: 20 }, async () => {
      const { asn } = dualStackOf(n);
      await call(agentCalls.ping, { asn, family: "ipv4" }).catch((error: unknown) => errors.push(error));
    }),
  );
  // Twelve run and 24 wait.
  await expect.poll(() => errors.length).toBe(60 - 12 - 24);
  for (const error of errors) {
    expect((error as CallError).body).toEqual({ message: "The node is busy with other queries." });
    expect((error as CallError).status).toBe(503);
  }
  expect(running).toHaveLength(12);
  expect(running.filter((asn) => asn === dualStackOf(1).asn)).toHaveLength(6);

  expect(await apply(4)).toMatchObject({ outcome: "applied" });
  expect(await call(agentCalls.observe, undefined)).toHaveLength(4);

  hung.resolve({ result: "failed", output: "" });
  await Promise.all(pings);
  expect(running).toHaveLength(36);
});
