/** Invalid input over HTTP: the response to every value is 422 with the field's name, and nothing changes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallError } from "#contract/client.ts";
import { calls } from "#contract/calls.ts";
import { lowOrderKeys, refusedByField } from "../../support/fixtures/hostile-input.ts";
import { type DemoServer, demoServer } from "./demo-server.ts";
import { waitForTask, type Participant, peerUpdate, signUp } from "./participant.ts";

const node = "syd01";
let server: DemoServer;
let participant: Participant;

beforeAll(async () => {
  server = await demoServer();
  participant = await signUp(server.url, "4242420001");
});
afterAll(() => server[Symbol.asyncDispose]());

/** The server's responses about the peering and its deployments. */
async function state(): Promise<string> {
  const body = { username: participant.asn };
  return JSON.stringify([
    await participant.call(calls.getPeerConfig, { ...body, node }),
    await participant.call(calls.getTasks, body),
    await participant.call(calls.getPeeredNodes, body),
  ]);
}

async function submit(change: object): Promise<CallError> {
  const update = { ...peerUpdate({ node, bgp_extnh: "No", peer_ipv4: "172.20.1.5" }), ...change };
  const refused: unknown = await participant
    .call(calls.updatePeerConfig, [{ username: participant.asn }, update])
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CallError);
  return refused as CallError;
}

describe("a peering's fields", () => {
  let before = "";
  beforeAll(async () => {
    const { taskID } = await participant.call(calls.updatePeerConfig, [
      { username: participant.asn },
      peerUpdate({ node }),
    ]);
    await waitForTask(participant, taskID);
    before = await state();
  });

  // The domain's tests prove the rules. Here, each field has a value that the domain rejects, one of another type, and what
  // only the server knows.
  test.each<readonly [string, unknown, string]>([
    ...Object.entries(refusedByField).map(([field, [value]]) => [field, value, "hostile text"] as const),
    ["remote_port", 80, "a number"],
    ["remote_port", ["80"], "a list"],
    ["remote_port", null, "null"],
    ["remote_ip", { toString: "1.2.3.4" }, "an object"],
    ["public_key", true, "a boolean"],
    ["address_family", "IPv5", "no such choice"],
    ["bgp_extnh", "yes", "no such choice"],
    ["node", ["syd01"], "a list"],
    ["node", "nowhere", "no node"],
    ["node", "__proto__", "no node"],
    ["generation", "1", "a text"],
    ["public_key", lowOrderKeys[0], "a low-order key"],
    ["remote_ip", "192.0.2.11", "one of our nodes"],
    ["peer_ipv4", "172.20.222.11", "the node's own address"],
    ["peer_ipv4", "172.20.222.200", "one of our addresses"],
    ["peer_ipv4", "172.20.99.1", "an address without an owner"],
    ["peer_ipv6", "fe80::2227", "the node's own address"],
    ["peer_ipv6", "fd42:4242:2227::1", "one of our addresses"],
    ["peer_ipv6", "fdff:ffff::1", "an address without an owner"],
  ])("%s %j: %s", async (field, value) => {
    const { status, body } = await submit({ [field]: value });
    expect({ status, field: body.field }).toEqual({ status: 422, field });
    expect(body.message).not.toBe("");
    expect(await state()).toBe(before);
  });

  test("the node's own key", async () => {
    const { public_key } = await participant.call(calls.getNodeConfig, { username: participant.asn, node });
    expect(await submit({ public_key })).toMatchObject({ status: 422, body: { field: "public_key" } });
  });
});

describe("a body", () => {
  const path = calls.updatePeerConfig.path;
  const send = async (
    body: BodyInit,
    headers: Record<string, string> = { "content-type": "application/json" },
  ) => {
    const response = await fetch(server.url + path, {
      method: "POST",
      headers: { cookie: participant.cookie, ...headers },
      body,
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const sentence = { message: expect.stringMatching(/\.$/) };

  test.each([
    ["an array of one item", JSON.stringify([{ username: "4242420001" }]), 422],
    ["an array of three items", JSON.stringify([{ username: "4242420001" }, peerUpdate(), {}]), 422],
    ["an object", JSON.stringify(peerUpdate()), 422],
    ["username as a list", JSON.stringify([{ username: ["4242420001"] }, peerUpdate()]), 422],
    [
      "the username of another AS under __proto__",
      '[{"username":"4242420001","__proto__":{"username":"1"}},{}]',
      422,
    ],
  ])("%s", async (_what, body, status) => {
    expect(await send(body)).toMatchObject({ status, body: sentence });
  });

  test("a NUL character", async () => {
    const body = { username: participant.asn, taskID: "a\0b" };
    await expect(participant.call(calls.getTaskStatus, body)).rejects.toMatchObject({
      status: 422,
      body: { field: "taskID" },
    });
  });
});
