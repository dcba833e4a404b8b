/** Somebody who gives a query up ends it on the node: from their connection over the server to the agent's ping. */
import { expect, test } from "vitest";
import { calls } from "../../../src/contract/calls.ts";
import { startWithEndlessPings } from "./endless-pings.ts";

test("a ping that its caller gives up ends on the node, and counts no more as under way", async () => {
  await using server = await startWithEndlessPings();
  const { url, participant, node, pings } = server;
  // One more than an AS may have under way at once.
  for (let count = 1; count <= 5; count += 1) {
    const leaving = new AbortController();
    const asked = fetch(`${url}${calls.pingCheck.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: participant.cookie },
      body: JSON.stringify({ username: participant.asn, node, addr_family: "ipv6" }),
      signal: leaving.signal,
    });
    await expect.poll(() => pings.begun, { timeout: 20_000 }).toBe(count);
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
    await expect.poll(() => pings.ended, { timeout: 20_000 }).toBe(count);
  }
});
