/** Invalid input over HTTP: the response to every value is 422 with the field's name, and nothing changes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { CallError } from "#contract/client.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { runAuditCommand } from "#cli/audit-command.ts";
import { lowOrderKeys, refusedByField } from "../../support/fixtures/hostile-input.ts";
import { runOperatorCommand } from "../accounts/operator-command.ts";
import { type DemoServer, demoServer } from "./demo-server.ts";
import { deployPeering, type Participant, peerUpdate, signUp, submitError } from "./participant.ts";

const node = "syd01";
const existing = peerUpdate({ node, peer_ipv6: "fe80::1:1" });
let server: DemoServer;
let owner: Participant;
let other: Participant;

beforeAll(async () => {
  server = await demoServer();
  owner = await signUp(server.url, "4242420001");
  other = await signUp(server.url, "4242420002");
  await deployPeering(owner, node, existing);
});
afterAll(() => server[Symbol.asyncDispose]());

/** The server's responses about the owner's peering and its deployments. */
async function state(): Promise<string> {
  const body = { username: owner.asn };
  return JSON.stringify([
    await owner.call(calls.getPeerConfig, { ...body, node }),
    await owner.call(calls.getTasks, body),
    await owner.call(calls.getPeeredNodes, body),
  ]);
}

const check = ({ asn, call }: Participant, update: PeerUpdate) =>
  call(calls.checkPeerConfig, [{ username: asn }, update]);

describe("a peering's fields", () => {
  const valid = { ...existing, bgp_extnh: "No", peer_ipv4: "172.20.1.5" } as const;

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
    const before = await state();
    const { status, body } = await submitError(owner, { ...valid, [field]: value });
    expect({ status, field: body.field }).toEqual({ status: 422, field });
    expect(body.message).not.toBe("");
    expect(await state()).toBe(before);
  });

  test("the node's link-local address, although the participant enters another one for its side", async () => {
    const update = { ...valid, peer_ipv6: "fe80:0::2227", local_ipv6: "fe80::9" };
    const message =
      "fe80::2227 is the node's own link-local address. Choose another IPv6 tunnel address for your side.";
    expect(await check(owner, update)).toEqual([{ field: "peer_ipv6", message }]);
  });

  test("the key of the node itself, and of another node", async () => {
    const { public_key } = await owner.call(calls.getNodeConfig, { username: owner.asn, node });
    for (const [on, message] of [
      [node, "This is the node's own key. Enter the public key of your side."],
      ["per01", "This is the key of another node of ours. Enter the public key of your side."],
    ] as const) {
      const update = { ...valid, node: on, public_key };
      const error = { field: "public_key", message };
      expect(await submitError(owner, update)).toMatchObject({ status: 422, body: error });
      expect(await check(owner, update)).toEqual([error]);
    }
  });
});

describe("a body", () => {
  test.each([
    ["an array of one item", [{ username: "4242420001" }]],
    ["an array of three items", [{ username: "4242420001" }, peerUpdate(), {}]],
    ["an object", peerUpdate()],
    ["username as a list", [{ username: ["4242420001"] }, peerUpdate()]],
    [
      "the username of another AS under __proto__",
      JSON.parse('[{"username":"4242420001","__proto__":{"username":"1"}},{}]') as unknown,
    ],
  ])("%s", async (_what, body) => {
    const response = await fetch(server.url + calls.updatePeerConfig.path, {
      method: "POST",
      headers: { cookie: owner.cookie, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/\.$/) });
  });

  test("a NUL character", async () => {
    const body = { username: owner.asn, taskID: "a\0b" };
    await expect(owner.call(calls.getTaskStatus, body)).rejects.toMatchObject({
      status: 422,
      body: { field: "taskID" },
    });
  });
});

describe("a check before the submit", () => {
  /** Every field is wrong: by a rule, by the registry, or because another AS uses the value. */
  const wrong = peerUpdate({
    bgp_extnh: "No",
    remote_ip: "router.dn42",
    remote_port: "0",
    public_key: existing.public_key,
    peer_ipv4: "172.20.1.1",
    peer_ipv6: "fdff:ffff::1",
    local_ipv6: "fd00:9::",
  });

  test("returns every error, as a submit does, and does not attribute values of another AS", async () => {
    const errors = await check(other, wrong);
    expect(errors.map(({ field }) => field)).toEqual([
      "remote_ip",
      "remote_port",
      "public_key",
      "peer_ipv4",
      "peer_ipv6",
      "local_ipv6",
    ]);
    const { status, body } = await submitError(other, wrong);
    expect([status, body]).toEqual([422, { ...errors[0], errors }]);
    expect(errors[2]?.message).toBe(
      "This key is already used by another participant. Every participant needs their own key. If this one is yours, contact support.",
    );
  });

  test("the operator learns once which AS uses a key that another one entered, and participants do not", async () => {
    const routed = { bgp_extnh: "No", peer_ipv4: "172.20.1.5" } as const;
    await deployPeering(owner, "de01", { ...routed, public_key: existing.public_key });
    const taken = { ...existing, node: "de01", peer_ipv6: "fe80::3" };
    for (const _ of [1, 2]) {
      await check(other, taken);
      await submitError(other, taken);
    }
    const at = { kind: "sqlite", dataDir: server.dataDir } as const;
    const { lines } = await runOperatorCommand(runAuditCommand, at);
    const conflicts = lines.filter((line) => line.includes("kind=value-conflict"));
    expect(conflicts.map((line) => line.replace(/^\S+Z {2}/, ""))).toEqual(
      ["de01", node].map(
        (on) =>
          `A participant entered a value for ${on} that another AS uses. ` +
          `AS${other.asn} entered the public key of AS${owner.asn}.  (kind=value-conflict)`,
      ),
    );
    const { entries } = await other.call(calls.getActivity, { username: other.asn });
    expect(JSON.stringify(entries)).not.toContain(owner.asn);
  });

  test("a key that another AS uses is refused, and its link-local address is not", async () => {
    const { body } = await submitError(other, { ...existing, remote_ip: "198.51.100.9" });
    expect(body.field).toBe("public_key");
    expect(body.errors ?? []).not.toContainEqual(expect.objectContaining({ field: "peer_ipv6" }));
  });

  test("finds the participant's own values free, and changes nothing", async () => {
    const before = await state();
    for (const change of [{}, { remote_port: "4000" }, { node: "de01" }])
      expect(await check(owner, { ...existing, ...change })).toEqual([]);
    expect(await state()).toBe(before);
  });

  test("has an unknown node as its only error", async () => {
    expect(await check(owner, { ...wrong, node: "nowhere" })).toEqual([
      { field: "node", message: "There is no such node." },
    ]);
  });

  test("checks are limited, for each AS alone", async () => {
    const nowhere = { ...existing, node: "nowhere" };
    let rejected: unknown;
    while (!(rejected instanceof CallError))
      rejected = await check(other, nowhere).catch((error: unknown) => error);
    expect(rejected).toMatchObject({
      status: 429,
      body: { message: "Too many checks. Nothing was changed; wait 10 minutes and try again." },
    });
    expect(await check(owner, nowhere)).toHaveLength(1);
  });
});
