/** What a participant learns of names that only the node's resolver knows. */
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { createLog } from "#server/log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startAgentWithRouter } from "./agent-with-router.ts";
import { deployPeering, signUp, submitPeering, waitForTask } from "./participant.ts";

test("a name that resolves to a private address is refused without the address, which the agent's log has", async () => {
  const lines: string[] = [];
  const inner = "10.20.30.40";
  let address = inner;
  await using server = await startAgentWithRouter(
    {},
    {
      resolver: async () => [address],
      log: createLog("info", { write: (line) => void lines.push(line) }),
    },
  );
  const { url, node } = server;
  const participant = await signUp(url, "4242420001");
  const submit = (remote_ip: string) => submitPeering(participant, node, { remote_ip });
  const host = "db.inner.example.net";
  const task = await waitForTask(participant, await submit(host));
  expect([task.status, task.reason]).toEqual([
    "failed",
    `${host} resolves to an address that is not public. Nothing was deployed. Enter the public address of your router.`,
  ]);
  const logged = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(logged).toContainEqual(expect.objectContaining({ asn: participant.asn, address: inner }));

  address = "198.51.100.7";
  await deployPeering(participant, node, { remote_ip: host });
  address = inner;
  const read = async () => [
    await participant.call(calls.getEndpointRoundTrips, { username: participant.asn }),
    await participant.call(calls.getActivity, { username: participant.asn }),
    await participant.call(calls.getPeerStatus, { username: participant.asn }),
  ];
  await waitFor(async () => expect(JSON.stringify(await read())).toContain(host));
  expect(JSON.stringify(await read())).not.toContain(inner);
});
