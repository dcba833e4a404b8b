/** A query that its client aborts also ends at the server and at the agent. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createEndlessPings, startAgentWithRouter } from "./agent-with-router.ts";
import { deployPeering, signUp } from "./participant.ts";

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
