import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#agent/clock.ts";
import { calls } from "#contract/calls.ts";
import type { Transport } from "#contract/client.ts";
import { deployPeering, outbox, randomKey, signUp } from "./participant.ts";
import { profileServer } from "./profile-server.ts";
import { openSimulatedNode } from "./simulated-node.ts";
import { agentResponse } from "../../support/agent-response.ts";

const asn = "4242420001";
const node = "syd01";
const host = "syd01.demo.dn42";

test("a participant reads of a node's new public key on the peering, in a mail and in the activity", async () => {
  const simulated = await openSimulatedNode(node, { clock: systemClock, timeScale: 0 });
  onTestFinished(() => simulated[Symbol.asyncDispose]());
  let publicKey = randomKey();
  const transport: Transport = async (request) =>
    request.path === "/v1/facts"
      ? agentResponse({ node, publicKey, keys: [publicKey], simulation: true, version: "" })
      : simulated.transport(request);
  const transports = new Map([[node, transport]]);
  const server = await profileServer({}, { transports, reconcileEveryMs: 50, watchEveryMs: 100 });
  onTestFinished(() => server[Symbol.asyncDispose]());

  const participant = await signUp(server.url, asn);
  await deployPeering(participant, node);
  const readStatus = async () =>
    (await participant.call(calls.getPeerStatus, { username: asn })).find((each) => each.node === node);
  const issues = async () => (await readStatus())?.wg_status.issues ?? [];
  const keyInConfig = async () =>
    (await participant.call(calls.getNodeConfig, { username: asn, node })).public_key;
  const before = await issues();
  expect(before.join(" ")).not.toContain("public key");
  expect(await keyInConfig()).toBe(publicKey);

  publicKey = randomKey();
  await expect
    .poll(issues)
    .toEqual([
      `The public key of ${host} has changed. Set it to ${publicKey} in your configuration.`,
      ...before,
    ]);
  expect((await readStatus())?.findings[0]).toEqual({ code: "node-key-changed", facts: { host, publicKey } });
  expect(await keyInConfig()).toBe(publicKey);
  const { entries } = await participant.call(calls.getActivity, { username: asn });
  expect(entries[0]).toMatchObject({
    kind: "node-key-changed",
    text: `The public key of ${host} changed. Your configuration needs the new one.`,
  });
  const readMails = async () =>
    (await outbox(server.url)).filter(({ subject }) => subject.startsWith("New public key"));
  await expect.poll(readMails).not.toEqual([]);
  const mails = await readMails();
  expect(mails.map(({ subject }) => subject)).toEqual(
    mails.map(() => expect.stringContaining(`New public key of ${host} for AS${asn} at `)),
  );
  for (const { text } of mails) {
    expect(text).toContain(`\n\nPublicKey = ${publicKey}\n\n`);
    expect(text).toContain(`${server.url}/manager?node=syd01&tab=edit\n`);
  }
});
