import type { CallName, Calls } from "#contract/calls.ts";
import type { ApiTokenScope } from "#domain/accounts/api-tokens.ts";

type ParticipantCall = {
  [N in CallName]: Calls[N]["access"] extends "participant" ? N : never;
}[CallName];

/**
 * The scope of an API token that each participant's call accepts: `change` if the call changes anything, else `read`. Null: it is
 * about the account itself, or the browser, so it needs a login session.
 */
export const tokenScopes = {
  deletePeer: "change",
  restartBGPPeer: "change",
  submitContactForm: "change",
  switchNodeKey: "change",
  updatePeerConfig: "change",
  checkPeerConfig: "read",
  checkPeerDeletionValidity: "read",
  getEndpointRoundTrips: "read",
  getNodeConfig: "read",
  getNodeSeries: "read",
  getNodeStatus: "read",
  getNodesList: "read",
  getPeerAdvertisedRoutes: "read",
  getPeerConfig: "read",
  getPeerDetails: "read",
  getPeerReceivedRoutes: "read",
  getPeerStatus: "read",
  getPeeredNodes: "read",
  getPeeringConfigs: "read",
  getPeeringHistory: "read",
  getPresharedKey: "read",
  getRefusedRoutes: "read",
  getSessionChanges: "read",
  getTaskStatus: "read",
  getTasks: "read",
  getTrafficSeries: "read",
  pingCheck: "read",
  troubleshootBGP: "read",
  cancelAccountDeletion: null,
  changePassword: null,
  createApiToken: null,
  deleteAccount: null,
  deletePushSubscription: null,
  endAllLoginSessions: null,
  endLoginSession: null,
  exportAccount: null,
  finishPasskeyAddition: null,
  getAccount: null,
  getActivity: null,
  getApiTokens: null,
  getLoginSessions: null,
  getPasskeys: null,
  getPushSettings: null,
  removePasskey: null,
  revokeApiToken: null,
  savePushSubscription: null,
  startPasskeyAddition: null,
  turnPasswordOff: null,
} as const satisfies Readonly<Record<ParticipantCall, ApiTokenScope | null>>;

/** A public call accepts no token. */
export function findTokenScope(name: CallName): ApiTokenScope | null {
  return name in tokenScopes ? tokenScopes[name as ParticipantCall] : null;
}
