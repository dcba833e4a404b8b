/** Every route × every identity, generated from the contract: a call without a row here fails the type check. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls, type CallName, type Calls } from "#contract/calls.ts";
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
  getApiTokens: list,
  createApiToken: same(422, (as) => ({
    ...usernameOf(as),
    name: "",
    scope: "read",
    node: null,
    days: 30,
    ends_with_password: true,
  })),
  revokeApiToken: same(404, (as) => ({ username: as, id: "unknown" })),
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

type ParticipantCall = {
  [N in CallName]: Calls[N]["access"] extends "participant" ? N : never;
}[CallName];

/** What API tokens may do with a call of participants. */
interface TokenRow {
  /** The scope that the call needs; `never`: no token is accepted. */
  readonly scope: "read" | "change" | "never";
  /**
   * What a token of one node gets: `named`, if the body names its node; `part`, the part that is of its node; `all`, as every token;
   * `none`, nothing.
   */
  readonly ofNode: "named" | "part" | "all" | "none";
}

const never: TokenRow = { scope: "never", ofNode: "none" };
const readNode: TokenRow = { scope: "read", ofNode: "named" };
const changeNode: TokenRow = { scope: "change", ofNode: "named" };
const readPart: TokenRow = { scope: "read", ofNode: "part" };
const readAll: TokenRow = { scope: "read", ofNode: "all" };
const readUnbound: TokenRow = { scope: "read", ofNode: "none" };

const tokenRows: Record<ParticipantCall, TokenRow> = {
  getPeeringHistory: readUnbound,
  getSessionChanges: readUnbound,
  getEndpointRoundTrips: readUnbound,
  getNodeSeries: readAll,
  getTrafficSeries: readUnbound,
  getPeeredNodes: readPart,
  getNodesList: readAll,
  updatePeerConfig: changeNode,
  checkPeerConfig: readNode,
  switchNodeKey: changeNode,
  getTaskStatus: readPart,
  getTasks: readPart,
  getPeerConfig: readNode,
  getPresharedKey: readNode,
  getNodeConfig: readNode,
  getPeeringConfigs: readPart,
  checkPeerDeletionValidity: readNode,
  getPeerDetails: readNode,
  troubleshootBGP: readNode,
  restartBGPPeer: changeNode,
  getPeerReceivedRoutes: readNode,
  getPeerAdvertisedRoutes: readNode,
  getRefusedRoutes: readNode,
  pingCheck: readNode,
  getPeerStatus: readPart,
  getNodeStatus: readNode,
  submitContactForm: { scope: "change", ofNode: "none" },
  getPushSettings: never,
  savePushSubscription: never,
  deletePushSubscription: never,
  getAccount: never,
  changePassword: never,
  getLoginSessions: never,
  endLoginSession: never,
  getApiTokens: never,
  createApiToken: never,
  revokeApiToken: never,
  exportAccount: never,
  deleteAccount: never,
  cancelAccountDeletion: never,
  deletePeer: changeNode,
  getActivity: never,
  endAllLoginSessions: never,
  getPasskeys: never,
  startPasskeyAddition: never,
  finishPasskeyAddition: never,
  removePasskey: never,
  turnPasswordOff: never,
};

/** Tokens of the owner, and one of the other AS. */
const tokens = { read: "", change: "", ofNode: "", ofOtherNode: "", ofOtherAs: "" };

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
  tokens.read = await createToken(identities.owner, "read", { scope: "read" });
  tokens.change = await createToken(identities.owner, "change", {});
  tokens.ofNode = await createToken(identities.owner, "of node", { node });
  tokens.ofOtherNode = await createToken(identities.owner, "of other node", { node: "per01" });
  tokens.ofOtherAs = await createToken(identities.stranger, "of other AS", {});
});

async function createToken(
  by: Participant | undefined,
  name: string,
  changes: { readonly scope?: "read"; readonly node?: string },
): Promise<string> {
  const rights = { scope: "change", node: null, days: 30, ends_with_password: true, ...changes } as const;
  const response = await by?.call(calls.createApiToken, { username: by.asn, name, ...rights });
  return response?.token ?? "";
}

afterAll(() => server[Symbol.asyncDispose]());

/** The deletion comes after all calls that need the peering, and the ends of login sessions last. */
const inOrder = (Object.keys(rows) as CallName[]).toSorted((one, two) => rank(one) - rank(two));

function rank(name: CallName): number {
  return ["deletePeer", "endAllLoginSessions", "logout"].indexOf(name);
}

/** Before the calls with cookies, which need the peering and end the tokens. */
describe.each(Object.keys(tokenRows) as ParticipantCall[])("%s with an API token", (name) => {
  const call: Call = calls[name];
  const { scope, ofNode } = tokenRows[name];
  const sendWith = (token: string, cookie = "") => send(call, rows[name].body(owner), cookie, token);

  test("that may read", async () => {
    const { status, text } = await sendWith(tokens.read);
    expect(status).toBe(scope === "read" ? rows[name].owner : 403);
    if (scope === "change")
      expect(JSON.parse(text)).toMatchObject({ message: expect.stringContaining("may only read") });
  });

  test("of another AS", async () => {
    const { status, text } = await sendWith(tokens.ofOtherAs);
    expect(status).toBe(scope === "never" || call.body !== null ? 403 : rows[name].owner);
    expect(text).not.toContain("198.51.100.7");
  });

  test("of another node", async () => {
    const { status, text } = await sendWith(tokens.ofOtherNode);
    const allowed = name === "getTaskStatus" ? 404 : rows[name].owner;
    expect(status).toBe(ofNode === "named" || ofNode === "none" ? 403 : allowed);
    expect(text).not.toContain("198.51.100.7");
    if (ofNode === "part") expect(text).not.toContain(node);
    if (ofNode === "named" && scope !== "never") expect(JSON.parse(text)).toMatchObject({ field: "node" });
  });

  test("that is unknown, beside a valid cookie", async () => {
    const { status, text, headers } = await sendWith("peerdeck_unknown", identities.owner?.cookie);
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    expect(JSON.parse(text)).toMatchObject({
      message: expect.stringMatching(/^This API token is unknown, has expired or was revoked/),
    });
  });
});

/** What the owner can do once is done with a token in `api-tokens.test.ts`. */
const repeatable = (Object.keys(tokenRows) as ParticipantCall[]).filter(
  (name) => name !== "deletePeer" && name !== "restartBGPPeer",
);

describe.each(repeatable)("%s within the rights of an API token", (name) => {
  const body = rows[name].body(owner);
  const { scope, ofNode } = tokenRows[name];

  test("that may change", async () => {
    const { status } = await send(calls[name], body, "", tokens.change);
    expect([401, 403].includes(status)).toBe(scope === "never");
  });

  test("of a node", async () => {
    const { status } = await send(calls[name], body, "", tokens.ofNode);
    const isOther = ofNode === "named" && JSON.stringify(body).includes("nowhere");
    expect([401, 403].includes(status)).toBe(ofNode === "none" || isOther);
  });
});

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

async function send(
  call: Pick<Call, "method" | "path" | "body">,
  body: unknown,
  cookie: string,
  token?: string,
) {
  const response = await fetch(server.url + call.path, {
    method: call.method,
    headers: {
      "content-type": "application/json",
      ...(cookie && { cookie }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: call.body ? JSON.stringify(body) : null,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
