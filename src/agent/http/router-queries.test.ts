import { expect, test } from "vitest";
import { agentCalls } from "../../contract/agent.ts";
import { openAgentScene } from "../fixtures/agent-scene.ts";
import { dualStackOf, sender } from "../fixtures/peerings.ts";

test("queries beyond the limits of the node are rejected, and delay no change and no observation", async () => {
  const { agent, clock, call } = await openAgentScene();
  await using _agent = agent;
  /** Sends a change, and passes the time that it takes, which is less than that of a ping. */
  const apply = async (n: number) => {
    const desired = dualStackOf(n);
    const outcome = call(agentCalls.apply, { ...sender, asn: desired.asn, generation: n, desired });
    await clock.advance(700);
    expect(await outcome).toMatchObject({ outcome: "applied" });
    return desired.asn;
  };
  const asns = [await apply(1), await apply(2), await apply(3)];

  const finished: string[] = [];
  const errors: unknown[] = [];
  const pings = asns.flatMap((asn) =>
    Array.from({ length: 20 }, () =>
      call(agentCalls.ping, { asn, family: "ipv4" }).then(
        () => finished.push(asn),
        (error: unknown) => errors.push(error),
      ),
    ),
  );
  // Twelve run and 24 wait.
  await expect.poll(() => errors.length).toBe(60 - 12 - 24);
  for (const error of errors)
    expect(error).toMatchObject({ status: 503, body: { message: "The node is busy with other queries." } });

  await apply(4);
  expect(await call(agentCalls.observe, undefined)).toHaveLength(4);
  expect(finished).toEqual([]);
  await clock.advance(2_300);
  await expect.poll(() => finished.length).toBe(12);
  expect(finished.filter((asn) => asn === asns[0])).toHaveLength(6);
  await clock.advance(6_000);
  await Promise.all(pings);
  expect(finished).toHaveLength(36);
});
