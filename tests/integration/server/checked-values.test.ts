/** The values of a form are checked before a submit, all at once, and a check reveals no more than a submit. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { CallError } from "#contract/client.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { demoServer, type DemoServer } from "./demo-server.ts";
import { type Participant, peerUpdate, signUp, waitForTask } from "./participant.ts";

const [one, two] = ["4242420001", "4242420002"] as const;
const existing = peerUpdate({ node: "syd01", peer_ipv6: "fe80::1:1" });

let server: DemoServer;
let owner: Participant;
let other: Participant;

beforeAll(async () => {
  server = await demoServer();
  owner = await signUp(server.url, one);
  other = await signUp(server.url, two);
  const task = await owner.call(calls.updatePeerConfig, [{ username: one }, existing]);
  expect(await waitForTask(owner, task.taskID)).toMatchObject({ status: "success" });
});
afterAll(() => server[Symbol.asyncDispose]());

const check = ({ asn, call }: Participant, update: PeerUpdate) =>
  call(calls.checkPeerConfig, [{ username: asn }, update]);

/** The error of a submit that has to be rejected. */
async function submitError({ asn, call }: Participant, update: PeerUpdate): Promise<CallError> {
  try {
    await call(calls.updatePeerConfig, [{ username: asn }, update]);
  } catch (error) {
    if (error instanceof CallError) return error;
    throw error;
  }
  throw new Error("the submit was accepted");
}

/** Every field is wrong: by a rule, by the registry, or because another AS uses the value. */
const wrong = peerUpdate({
  bgp_extnh: "No",
  remote_ip: "router.dn42",
  remote_port: "0",
  public_key: existing.public_key,
  peer_ipv4: "172.20.1.1",
  peer_ipv6: "fe80::1:1",
  local_ipv6: "fd00:9::",
});

test("a check returns every error, and a submit the same ones", async () => {
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
});

test("a value that another AS uses is not attributed", async () => {
  const messages = (await check(other, { ...wrong, remote_ip: "198.51.100.9", remote_port: "1" }))
    .filter(({ field }) => ["public_key", "peer_ipv6"].includes(field))
    .map(({ message }) => message);
  expect(messages).toEqual([
    "This key is already used by another participant. Every participant needs their own key.",
    "fe80::1:1 is already used on this node. Choose another address.",
  ]);
});

test("valid values that another AS uses are all in the response of a submit", async () => {
  const { body } = await submitError(other, { ...existing, remote_ip: "198.51.100.9" });
  expect(body.errors?.map(({ field }) => field)).toEqual(["public_key", "peer_ipv6"]);
  expect(body.field).toBe("public_key");
});

test("the participant's own values are free, and a check changes nothing", async () => {
  expect(await check(owner, existing)).toEqual([]);
  expect(await check(owner, { ...existing, remote_port: "4000" })).toEqual([]);
  expect(await check(owner, { ...existing, node: "de01" })).toEqual([]);
  expect(await owner.call(calls.getPeeredNodes, { username: one })).toEqual(["syd01"]);
  const config = await owner.call(calls.getPeerConfig, { username: one, node: "syd01" });
  expect(config["syd01"]?.remote).toBe("198.51.100.7:51820");
});

test("an unknown node is the only error", async () => {
  expect(await check(owner, { ...wrong, node: "nowhere" })).toEqual([
    { field: "node", message: "There is no such node." },
  ]);
});

test("checks are limited, for each AS alone", async () => {
  const nowhere = { ...existing, node: "nowhere" };
  const repeat = async (): Promise<CallError> => {
    for (;;) {
      try {
        await check(other, nowhere);
      } catch (error) {
        return error as CallError;
      }
    }
  };
  const error = await repeat();
  expect([error.status, error.body.message]).toEqual([
    429,
    "Too many checks. Nothing was changed; wait 10 minutes and try again.",
  ]);
  expect(await check(owner, nowhere)).toHaveLength(1);
});
