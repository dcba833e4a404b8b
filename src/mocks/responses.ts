/**
 * The mock backend's response to every call of the contract; a call without a row fails the type check.
 *
 * Responses are canned, and the mock applies no rule of the server. Certain inputs are scenarios that lead to an error:
 * an unknown account, AS number or token, and the hosts of `specialHosts`. A test that needs another error sets it.
 */
import type { CallResponse, CallBody } from "../contract/call.ts";
import type { CallName, Calls } from "../contract/calls.ts";
import {
  accountOf,
  cancelAccountDeletion,
  confirmPassword,
  createApiToken,
  endLoginSession,
  exportAccount,
  loginSessionsOf,
  pollAccountDeletion,
  revokeApiToken,
  startAccountDeletion,
} from "./account.ts";
import { activityOf } from "./activity.ts";
import { findUpdateErrors } from "./deployment-scenarios.ts";
import { findPeering, pollTask, submitDeletion, submitSwitch, submitUpdate } from "./deployments.ts";
import { networkSummaryAt, peeringHistoriesFor, publicNodesAt } from "./histories.ts";
import { endpointRoundTripsFor, nodeHistories, nodeSeriesAt, trafficSeriesFor } from "./observations.ts";
import {
  addPasskey,
  assertRecentLogin,
  logInWithPasskey,
  removePasskey,
  startPasskeyAddition,
  startPasskeyLogin,
  turnPasswordOff,
} from "./accounts/passkeys.ts";
import { proveOwnership, requestProof } from "./proofs.ts";
import { provider } from "./provider.ts";
import { nodeConfigOf, nodeStatusOf, peerConfigOf, peerStatusOf, refusedRoutesOf } from "./reads.ts";
import { HttpError, errorMessages } from "../contract/http-error.ts";
import { routerOutput } from "./router-output.ts";
import type { MockState } from "./state.ts";

/** `asn` is the logged-in AS, empty for a visitor. Calls of participants get here only with one. */
export type MockHandler<N extends CallName> = (
  state: MockState,
  body: CallBody<Calls[N]>,
  asn: string,
) => CallResponse<Calls[N]>;

/** A point on P-256, which `PushManager.subscribe` requires. */
const pushPublicKey =
  "BB4YUy_UdUwC8wQdnHXOszuD_9gax85P6ILMscmLxYlupGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM";

/** AS numbers with these first digits are in the registry. */
const registeredAsns = "424242";
const validToken = "valid-token";

export const mockHandlers: { readonly [N in CallName]: MockHandler<N> } = {
  login: (state, { username, password }) => {
    if (state.accounts[username] !== password) {
      throw new HttpError(401, { message: errorMessages.invalidCredentials });
    }
    state.loggedInAs = username;
    return {};
  },
  authStatus: (state) => ({ isAuthenticated: state.loggedInAs !== null, username: state.loggedInAs ?? "" }),
  logout: (state) => {
    state.loggedInAs = null;
    state.pushSubscription = null;
    return {};
  },
  sendEmailVerification: (state, { asn, password_reset }) => {
    if (!asn.startsWith(registeredAsns)) throw new HttpError(404, { message: errorMessages.asNotFound });
    if (asn in state.accounts && password_reset === undefined) {
      throw new HttpError(409, { message: errorMessages.userExists });
    }
    return { sent_to: ["n…@example.net", "i…@example.org"] };
  },
  setPassword: (_, { token }) => {
    if (token !== validToken) throw new HttpError(400, { message: errorMessages.invalidToken });
    return {};
  },
  requestProof: (_, { asn, password_reset }) => {
    if (!asn.startsWith(registeredAsns)) throw new HttpError(404, { message: errorMessages.asNotFound });
    return requestProof(asn, password_reset === "Yes");
  },
  proveOwnership: (_, { signature }) => proveOwnership(signature, validToken),
  startKioubit: (_, { purpose }) => ({ url: `https://kioubit.example.net/auth/?token=${purpose}` }),
  getPasskeys: ({ passkeys }) => passkeys,
  startPasskeyAddition: (state, _, asn) => startPasskeyAddition(state, asn),
  finishPasskeyAddition: (state, { name, credential }) =>
    addPasskey(state, { id: credential.id, name }, Date.now()),
  removePasskey: (state, { id }) => {
    removePasskey(state, id);
    return {};
  },
  turnPasswordOff: (state) => {
    turnPasswordOff(state);
    return {};
  },
  startPasskeyLogin: () => startPasskeyLogin(),
  finishPasskeyLogin: (state, { credential }) => ({
    username: logInWithPasskey(state, credential.id, Date.now()),
  }),
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
  checkPeerConfig: (_, [, update]) => findUpdateErrors(update.remote_ip),
  switchNodeKey: (state, { node }, asn) => submitSwitch(state, asn, node),
  deletePeer: (state, { node }, asn) => submitDeletion(state, asn, node),
  getTaskStatus: (state, { taskID }, asn) => pollTask(state, asn, taskID),
  getPeerConfig: (state, { node }, asn) => ({ [node]: peerConfigOf(findPeering(state, asn, node)) }),
  getPresharedKey: (state, { node }, asn) => {
    const { presharedKey } = findPeering(state, asn, node);
    if (presharedKey === "") throw new HttpError(404, { message: "There is no pre-shared key." });
    return { preshared_key: presharedKey };
  },
  getNodeConfig: (state, { node }, asn) => nodeConfigOf(state, findPeering(state, asn, node)),
  getPeeringConfigs: (state, _, asn) =>
    state.peerings
      .filter((each) => each.asn === asn)
      .map((each) => ({ node: each.node, peer: peerConfigOf(each), provider: nodeConfigOf(state, each) })),
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
  submitContactForm: () => ({}),
  getTasks: (state, _, asn) =>
    state.tasks.filter((each) => each.asn === asn && each.task.status === "waiting").map(({ task }) => task),
  getRefusedRoutes: (state, { node }, asn) => refusedRoutesOf(findPeering(state, asn, node)),
  getPeeringHistory: (state, _, asn) => peeringHistoriesFor(state, asn, Date.now()),
  getSessionChanges: () => ({ changes: [] }),
  getNetworkSummary: () => networkSummaryAt(Date.now()),
  joinNode: () => {
    throw new HttpError(404, { message: "No node can join the mock backend." });
  },
  getEndpointRoundTrips: (state, _, asn) => endpointRoundTripsFor(state, asn),
  getNodeHistories: () => nodeHistories(Date.now()),
  getNodeSeries: () => nodeSeriesAt(Date.now()),
  getTrafficSeries: (state, _, asn) => trafficSeriesFor(state, asn, Date.now()),
  getPushSettings: (state) => ({ publicKey: pushPublicKey, subscription: state.pushSubscription }),
  savePushSubscription: (state, { endpoint, alerts }) => {
    state.pushSubscription = { endpoint, alerts };
    return {};
  },
  deletePushSubscription: (state) => {
    state.pushSubscription = null;
    return {};
  },
  getActivity: (state, { before }, asn) => activityOf(state, asn, before ?? null, Date.now()),
  endAllLoginSessions: (state) => {
    state.loggedInAs = null;
    state.pushSubscription = null;
    return {};
  },
  getAccount: (state) => accountOf(state),
  changePassword: (state, { current_password, password }, asn) => {
    confirmPassword(state, asn, current_password, "current_password");
    state.accounts[asn] = password;
    state.endedLoginSessions = loginSessionsOf(state, 0)
      .filter(({ current }) => !current)
      .map(({ id }) => id);
    return {};
  },
  getLoginSessions: (state) => loginSessionsOf(state, Date.now()),
  endLoginSession: (state, { id }) => {
    endLoginSession(state, id);
    return {};
  },
  getApiTokens: (state) => state.apiTokens,
  createApiToken: (state, body) => createApiToken(state, body, Date.now()),
  revokeApiToken: (state, { id }) => {
    revokeApiToken(state, id);
    return {};
  },
  exportAccount: (state, _, asn) => exportAccount(state, asn, Date.now()),
  deleteAccount: (state, { password }, asn) => {
    if (state.isPasswordOff) assertRecentLogin(state);
    else confirmPassword(state, asn, password, "password");
    return startAccountDeletion(state, asn, Date.now());
  },
  cancelAccountDeletion: (state, _, asn) => {
    cancelAccountDeletion(state, asn);
    return {};
  },
  getAccountDeletion: (state, { id }) => pollAccountDeletion(state, id),
  provider: () => provider,
  nodes: () => publicNodesAt(Date.now()),
};
