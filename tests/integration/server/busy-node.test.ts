/** Queries of participants never delay changes and observations, whatever the router does with them. */
import { expect, test } from "vitest";
import type { Router } from "#agent/drivers/router.ts";
import type { CallError } from "#contract/client.ts";
import { calls } from "#contract/calls.ts";
import { createEndlessPings, startAgentWithRouter } from "./agent-with-router.ts";
import { deployPeering, type Participant, signUp } from "./participant.ts";

/** Everything that an AS can ask its router at once. */
function queryAll({ asn: username, call }: Participant, node: string): ReadonlyArray<Promise<unknown>> {
  const body = { username, node };
  return [
    call(calls.pingCheck, { ...body, addr_family: "ipv6" }),
    call(calls.pingCheck, { ...body, addr_family: "ipv6" }),
    call(calls.getPeerReceivedRoutes, body),
    call(calls.getPeerAdvertisedRoutes, body),
    call(calls.getRefusedRoutes, body),
    call(calls.troubleshootBGP, body),
    call(calls.getPeerDetails, body),
    call(calls.restartBGPPeer, body),
  ];
}

test("three ASes whose queries all hang do not delay a deployment and the status", async () => {
  const released = Promise.withResolvers<never>();
  let hanging = 0;
  const hang = () => {
    hanging += 1;
    return released.promise;
  };
  const queries = {
    ping: hang,
    details: hang,
    sessions: hang,
    restartBgp: hang,
    receivedRoutes: hang,
    refusedRoutes: hang,
    advertisedRoutes: hang,
  } satisfies Partial<Router>;
  await using server = await startAgentWithRouter(queries, { waitMs: 8_000 });
  const { url, node } = server;
  const attackers: Participant[] = [];
  for (const asn of ["4242420001", "4242420002", "4242420003"]) {
    const attacker = await signUp(url, asn);
    await deployPeering(attacker, node);
    attackers.push(attacker);
  }
  const participant = await signUp(url, "4242420004");
  const attacks = attackers.flatMap((attacker) => queryAll(attacker, node));
  const ends = Promise.allSettled(attacks);
  await expect.poll(() => hanging, { timeout: 10_000 }).toBe(8);

  await deployPeering(participant, node);
  const { asn: username, call } = participant;
  expect(await call(calls.getPeerStatus, { username })).toMatchObject([{ node, known: true }]);
  expect((await call(calls.getNodeStatus, { username, node })).results.known).toBe(true);
  expect(hanging).toBe(8);

  released.reject(new Error("released"));
  const statuses = (await ends).map((end) =>
    end.status === "rejected" ? (end.reason as CallError).status : 200,
  );
  expect(new Set(statuses)).toEqual(new Set([429, 503]));
});

test("a ping that its client aborts ends on the node and no longer counts as in flight", async () => {
  const { pings, ping } = createEndlessPings();
  await using server = await startAgentWithRouter({ ping });
  const { url, node } = server;
  const participant = await signUp(url, "4242420001");
  await deployPeering(participant, node);
  // One more than an AS may have in flight.
  for (let count = 1; count <= 5; count += 1) {
    const client = new AbortController();
    const response = fetch(`${url}${calls.pingCheck.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: participant.cookie },
      body: JSON.stringify({ username: participant.asn, node, addr_family: "ipv6" }),
      signal: client.signal,
    });
    await expect.poll(() => pings.started).toBe(count);
    client.abort();
    await expect(response).rejects.toThrow("aborted");
    await expect.poll(() => pings.ended).toBe(count);
  }
});
