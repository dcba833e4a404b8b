/** Every route × every identity, generated from the contract: a call without a row here fails the type check. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls, type CallName } from "#contract/calls.ts";
import type { Call } from "#contract/call.ts";
import { browserSubscription } from "../push/browser.ts";
import { demoServer, type DemoServer } from "./demo-server.ts";
import { logIn, type Participant, peerUpdate, signUp, submitPeering, waitForTask } from "./participant.ts";

const owner = "4242420001";
const other = "4242420002";
const node = "syd01";

/** The request body of a call and the status for each identity. `as` is the AS that the body names. */
interface Row {
  readonly body: (as: string) => unknown;
  readonly owner: number;
  /** The status for another AS that names itself; its response must not show the owner's peering. */
  readonly stranger: number;
}

const usernameOf = (as: string) => ({ username: as });
const peering = (as: string) => ({ username: as, node });
/** A call whose status is the same for each AS that names itself. */
const same = (status: number, body: Row["body"] = usernameOf): Row => ({
  body,
  owner: status,
  stranger: status,
});
const open = same(200, () => undefined);
const list = same(200);
const ownPeering: Row = { body: peering, owner: 200, stranger: 404 };
const unknownNode = (as: string) => [{ username: as }, peerUpdate({ node: "nowhere" })];
const passwords = { current_password: "not the password", password: "long enough to pass" };

// The server has no hostname, so browsers offer it no passkeys.
const credential = { id: "AA", rawId: "AA", type: "public-key" };
const created = { ...credential, response: { clientDataJSON: "AA", attestationObject: "AA" } };
const used = { ...credential, response: { clientDataJSON: "AA", authenticatorData: "AA", signature: "AA" } };

const rows: Record<CallName, Row> = {
  login: same(401, (as) => ({ username: as, password: "not the password" })),
  authStatus: open,
  logout: open,
  sendEmailVerification: same(409, (as) => ({ asn: as })),
  setPassword: same(400, () => ({ token: "unknown", password: "long enough to pass" })),
  requestProof: same(200, () => ({ asn: other })),
  proveOwnership: same(422, () => ({ challenge: "unknown", signature: "" })),
  startKioubit: same(404, () => ({ purpose: "login" })),
  getPasskeys: list,
  startPasskeyAddition: same(409),
  finishPasskeyAddition: same(409, (as) => ({
    username: as,
    challenge: "unknown",
    name: "A",
    credential: created,
  })),
  removePasskey: same(404, (as) => ({ username: as, id: "unknown" })),
  turnPasswordOff: same(409),
  startPasskeyLogin: same(409, () => undefined),
  finishPasskeyLogin: same(409, () => ({ challenge: "unknown", credential: used })),
  mapVPNStatus: open,
  provider: open,
  nodes: open,
  getNodeHistories: open,
  getNetworkSummary: open,
  getPeeringHistory: list,
  getSessionChanges: list,
  getEndpointRoundTrips: list,
  getNodeSeries: open,
  getTrafficSeries: list,
  getPeeredNodes: list,
  getNodesList: list,
  updatePeerConfig: same(422, unknownNode),
  checkPeerConfig: same(200, unknownNode),
  switchNodeKey: { body: peering, owner: 409, stranger: 404 },
  getTaskStatus: { body: (as) => ({ username: as, taskID: ownersTask }), owner: 200, stranger: 404 },
  getTasks: list,
  getPeerConfig: ownPeering,
  getPresharedKey: ownPeering,
  getNodeConfig: ownPeering,
  getPeeringConfigs: list,
  checkPeerDeletionValidity: ownPeering,
  getPeerDetails: ownPeering,
  troubleshootBGP: ownPeering,
  restartBGPPeer: ownPeering,
  getPeerReceivedRoutes: ownPeering,
  getPeerAdvertisedRoutes: ownPeering,
  getRefusedRoutes: ownPeering,
  pingCheck: { body: (as) => ({ ...peering(as), addr_family: "ipv6" }), owner: 200, stranger: 404 },
  getPeerStatus: list,
  getNodeStatus: same(200, peering),
  submitContactForm: same(200, (as) => ({
    username: as,
    name: "A B",
    email: "a@example.org",
    message: "Hello",
  })),
  getPushSettings: list,
  savePushSubscription: same(200, (as) => ({ username: as, ...browserSubscription(), alerts: false })),
  deletePushSubscription: list,
  getAccount: list,
  changePassword: same(422, (as) => ({ username: as, ...passwords })),
  getLoginSessions: list,
  endLoginSession: { body: (as) => ({ username: as, id: ownersOtherSession }), owner: 200, stranger: 404 },
  exportAccount: list,
  deleteAccount: same(422, (as) => ({ username: as, password: "not the password" })),
  cancelAccountDeletion: same(404),
  getAccountDeletion: same(404, () => ({ id: "unknown" })),
  deletePeer: ownPeering,
  getActivity: list,
  endAllLoginSessions: list,
  joinNode: same(404, () => ({ token: "unknown", request: { text: "{}", proof: "" } })),
};

let server: DemoServer;
let ownersTask = "";
let ownersOtherSession = "";
const identities: { owner?: Participant; stranger?: Participant } = {};

beforeAll(async () => {
  server = await demoServer();
  identities.owner = await signUp(server.url, owner);
  identities.stranger = await signUp(server.url, other);
  await logIn(server.url, owner);
  const sessions = await identities.owner.call(calls.getLoginSessions, { username: owner });
  ownersOtherSession = sessions.find(({ current }) => !current)?.id ?? "";
  ownersTask = await submitPeering(identities.owner, node, { preshared_key: "generate" });
  expect(await waitForTask(identities.owner, ownersTask)).toMatchObject({ status: "success" });
});

afterAll(() => server[Symbol.asyncDispose]());

/** The deletion comes after all calls that need the peering, and the ends of login sessions last. */
const inOrder = (Object.keys(rows) as CallName[]).toSorted((one, two) => rank(one) - rank(two));

function rank(name: CallName): number {
  return ["deletePeer", "endAllLoginSessions", "logout"].indexOf(name);
}

describe.each(inOrder)("%s", (name) => {
  const call: Call = calls[name];
  const row = rows[name];
  const forOwner = () => row.body(owner);

  test("anonymous", async () => {
    const { status, text } = await send(call, forOwner(), "");
    expect(status).toBe(call.access === "participant" ? 401 : row.owner);
    if (call.access === "participant") {
      const message = "You are not logged in, or your login session has ended. Log in and try again.";
      expect(JSON.parse(text)).toEqual({ message });
    }
  });

  test("another AS that names the owner", async () => {
    const { status, text } = await send(call, forOwner(), identities.stranger?.cookie ?? "");
    // Without a body a call names no AS: its response is the same for every participant.
    const namesOwner = call.access === "participant" && call.body !== null;
    expect(status).toBe(namesOwner ? 403 : row.owner);
    expect(text).not.toContain("198.51.100.7");
    if (namesOwner) {
      const message = `You are logged in as AS${other} and cannot act for another AS.`;
      expect(JSON.parse(text)).toEqual({ message, field: "username" });
    }
  });

  test("another AS that names itself", async () => {
    const { status, text } = await send(call, row.body(other), identities.stranger?.cookie ?? "");
    expect(status).toBe(row.stranger);
    expect(text).not.toContain("198.51.100.7");
  });

  test("the owner", async () => {
    const { status } = await send(call, forOwner(), identities.owner?.cookie ?? "");
    expect(status).toBe(row.owner);
  });

  test("the path with or without its slash", async () => {
    const path = call.path.endsWith("/") ? call.path.slice(0, -1) : call.path.replace(/(?<!json)$/, "/");
    const { status } = await send({ ...call, path: path as `/${string}` }, {}, "");
    expect(status).not.toBe(404);
  });
});

async function send(call: Pick<Call, "method" | "path" | "body">, body: unknown, cookie: string) {
  const response = await fetch(server.url + call.path, {
    method: call.method,
    headers: { "content-type": "application/json", ...(cookie && { cookie }) },
    body: call.body ? JSON.stringify(body) : null,
  });
  return { status: response.status, text: await response.text() };
}
