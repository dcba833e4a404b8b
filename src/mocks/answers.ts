/** What the mock backend answers to every call of the contract: a call without a row fails the type check. */
import type { CallAnswer, CallBody } from "../contract/call.ts";
import type { CallName, Calls } from "../contract/calls.ts";
import { messages } from "../contract/failure.ts";
import { findPeering, pollTask, submitDeletion, submitUpdate } from "./network.ts";
import { nodeHistories, nodeSamplesFor } from "./observations.ts";
import { provider } from "./provider.ts";
import { nodeConfigOf, nodeStatusOf, peerConfigOf, peerStatusOf } from "./reads.ts";
import { Refused } from "./refused.ts";
import { refusedRoutesOf } from "./refused-routes.ts";
import { routerOutput } from "./router-output.ts";
import type { MockState } from "./state.ts";

/** `asn` is the signed-in AS, empty for a visitor; session calls are answered only with one. */
export type MockAnswer<N extends CallName> = (
  state: MockState,
  body: CallBody<Calls[N]>,
  asn: string,
) => CallAnswer<Calls[N]>;

/** A point on P-256, as `PushManager.subscribe` wants one. */
const pushPublicKey =
  "BB4YUy_UdUwC8wQdnHXOszuD_9gax85P6ILMscmLxYlupGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM";

export const answers: { readonly [N in CallName]: MockAnswer<N> } = {
  login: (state, { username, password }) => {
    if (state.accounts[username] !== password) {
      throw new Refused(401, { message: messages.invalidCredentials });
    }
    state.signedIn = username;
    return {};
  },
  authStatus: (state) => ({ isAuthenticated: state.signedIn !== null, username: state.signedIn ?? "" }),
  logout: (state) => {
    state.signedIn = null;
    state.pushSubscription = null;
    return {};
  },
  sendEmailVerification: (state, { asn, password_reset }) => {
    if (!asn.startsWith("424242")) throw new Refused(404, { message: messages.asNotFound });
    if (asn in state.accounts && password_reset === undefined) {
      throw new Refused(409, { message: messages.userExists });
    }
    return {};
  },
  setPassword: (_, { token }) => {
    if (token !== "valid-token") throw new Refused(400, { message: messages.invalidToken });
    return {};
  },
  mapVPNStatus: () => [
    { from: "syd01", to: "per01", status: "up" },
    { from: "per01", to: "sin01", status: "up" },
    { from: "sin01", to: "de01", status: "up" },
    { from: "de01", to: "ny01", status: "up" },
    { from: "de01", to: "za01", status: "down" },
  ],
  getPeeredNodes: (state, _, asn) =>
    state.peerings.filter((each) => each.asn === asn).map(({ node }) => node),
  getNodesList: () => provider.nodes.map(({ name }) => ({ name })),
  updatePeerConfig: (state, [, update], asn) => submitUpdate(state, asn, update),
  deletePeer: (state, { node }, asn) => submitDeletion(state, asn, node),
  getTaskStatus: (state, { taskID }, asn) => pollTask(state, asn, taskID),
  getPeerConfig: (state, { node }, asn) => ({ [node]: peerConfigOf(findPeering(state, asn, node)) }),
  getNodeConfig: (state, { node }, asn) => nodeConfigOf(findPeering(state, asn, node)),
  checkPeerDeletionValidity: (state, { node }, asn) => {
    findPeering(state, asn, node);
    return {};
  },
  getPeerDetails: (state, { node }, asn) => ({
    [node]: routerOutput.details(findPeering(state, asn, node)),
  }),
  troubleshootBGP: (state, { node }, asn) => {
    const filtered = refusedRoutesOf(findPeering(state, asn, node)).totals;
    return {
      address_families: "OK",
      bgp_extnh: "OK",
      received_routes: { ipv4: 2 + filtered.ipv4, ipv6: 1 + filtered.ipv6 },
      filtered_routes: filtered,
      rejected_routes: { ipv4: 0, ipv6: 0 },
    };
  },
  restartBGPPeer: (state, { node }, asn) => ({
    output: routerOutput.restart(findPeering(state, asn, node)),
  }),
  getPeerReceivedRoutes: (state, { node }, asn) => ({
    output: routerOutput.received(findPeering(state, asn, node)),
  }),
  getPeerAdvertisedRoutes: (state, { node }, asn) => ({
    output: routerOutput.advertised(findPeering(state, asn, node)),
  }),
  pingCheck: (state, { node, addr_family }, asn) =>
    routerOutput.ping(findPeering(state, asn, node), addr_family),
  getPeerStatus: (state, _, asn) =>
    state.peerings.filter((each) => each.asn === asn).map((each) => peerStatusOf(state, each)),
  getNodeStatus: (_, { node }) => ({ results: nodeStatusOf(node) }),
  submitContactForm: (_, { email }) => {
    if (!email.includes("@")) {
      throw new Refused(422, { message: "Not an e-mail address. Nothing was sent.", field: "email" });
    }
    return {};
  },
  getTasks: (state, _, asn) =>
    state.tasks.filter((each) => each.asn === asn && each.task.status === "waiting").map(({ task }) => task),
  getRefusedRoutes: (state, { node }, asn) => refusedRoutesOf(findPeering(state, asn, node)),
  getNodeHistory: () => nodeHistories(Date.now()),
  getNodeSamples: (state, _, asn) => nodeSamplesFor(state, asn, Date.now()),
  getPushSettings: (state) => ({ publicKey: pushPublicKey, subscription: state.pushSubscription }),
  savePushSubscription: (state, { endpoint, alerts }) => {
    if (!endpoint.startsWith("https:")) {
      throw new Refused(422, { message: "Not a push service. Nothing was saved.", field: "endpoint" });
    }
    state.pushSubscription = { endpoint, alerts };
    return {};
  },
  deletePushSubscription: (state) => {
    state.pushSubscription = null;
    return {};
  },
  provider: () => provider,
};
