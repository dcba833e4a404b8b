/** What the API page and the OpenAPI document say of each call. The web app does not load it. */
import type { ErrorStatus } from "#contract/call.ts";
import type { CallName } from "#contract/calls.ts";
import { passkeyDescriptions } from "./passkey-descriptions.ts";

export interface CallDescription {
  readonly summary: string;
  /** Error statuses that callers may have to distinguish, each with its meaning. */
  readonly errors?: Readonly<Partial<Record<ErrorStatus, string>>>;
}

const noPeering = "No peering of this AS on the node";
const nodeUnreachable = "The node could not be reached";
const tooManyQueries = "Too many queries";

export const callDescriptions: Readonly<Record<CallName, CallDescription>> = {
  login: {
    summary: "Log in with AS number and password",
    errors: { 401: "Invalid credentials", 429: "Too many attempts" },
  },
  authStatus: {
    summary: "The logged-in AS, if any",
  },
  logout: {
    summary: "End the login session, if there is one",
  },
  sendEmailVerification: {
    summary: "Mail a link that sets a password to the addresses in the registry",
    errors: {
      403: "The AS has another holder since the account was verified",
      404: "AS number cannot be found",
      409: "User already exists",
      422: "Not an AS number, or no usable address in the registry",
      429: "Too many requests",
      503: "The registry copy is missing or too old, or the registry cannot be reached for a reset",
    },
  },
  setPassword: {
    summary: "Set the password with a token from a mail or a proof; ends all login sessions of the AS",
    errors: {
      400: "Invalid or expired token",
      422: "The password is not accepted",
      429: "Too many attempts",
    },
  },
  requestProof: {
    summary: "Get a text to sign, and the keys of the registry that prove that an AS is the caller's",
    errors: {
      404: "The AS is not in the registry",
      422: "Not an AS number",
      429: "Too many requests",
      503: "The registry is missing or outdated",
    },
  },
  getApiTokens: { summary: "The API tokens of the AS, without their secrets" },
  createApiToken: {
    summary: "Create an API token; its secret is in this response only. Needs a login session",
    errors: {
      409: "Another token has the name, or there are too many",
      422: "The name is not accepted, or there is no such node",
      429: "Too many new tokens",
    },
  },
  revokeApiToken: { summary: "End an API token", errors: { 404: "It has already ended" } },
  proveOwnership: {
    summary: "Send a signature of the text; the response has a token that sets the password",
    errors: {
      403: "The AS is blocked, or has another holder",
      404: "A reset, and the AS has no account",
      409: "A registration, and the AS has an account",
      422: "The signature is refused, or its text was used or has expired",
      429: "Too many proofs",
      503: "The registry is missing or outdated",
    },
  },
  startKioubit: {
    summary: "Start a proof or a login with Kioubit's authentication service",
    errors: {
      404: "The server does not use it",
      422: "Not an AS number",
      429: "Too many requests",
    },
  },
  ...passkeyDescriptions,
  mapVPNStatus: {
    summary: "Links between the provider's nodes",
  },
  getPeeredNodes: {
    summary: "Names of the nodes that this AS peers with",
  },
  getNodesList: {
    summary: "Nodes that a participant can choose",
  },
  getNodeStatus: {
    summary: "State of a node",
    errors: { 404: "No such node" },
  },
  submitContactForm: {
    summary: "Send a message to the provider's support",
    errors: { 422: "A value is invalid", 429: "Too many messages" },
  },
  getNodeHistories: {
    summary: "State of every node now, over 24 hours and over 90 days, as the server observed it",
  },
  getNodeSeries: {
    summary: "Load and routes of every node over three hours",
  },
  getTrafficSeries: {
    summary: "Traffic of the tunnels of this AS over three hours",
  },
  getPushSettings: {
    summary: "The server's push key, and the push subscription of this login session",
  },
  savePushSubscription: {
    summary:
      "Send push messages to this browser until the login session ends; replaces its previous subscription",
    errors: { 422: "Not an allowed push service, or not a key" },
  },
  deletePushSubscription: {
    summary: "Stop push messages for this login session",
  },
  provider: {
    summary: "The public part of the provider profile",
  },
  nodes: {
    summary:
      "The nodes, whether they accept new peerings, and what a tunnel with them needs; pages of every site may read it",
  },
  updatePeerConfig: {
    summary: "Create or change the peering on a node and deploy it",
    errors: {
      409: "The peering has changed since, another deployment of it is running, or another AS uses the public key",
      422: "A value is invalid",
      429: "Too many changes of this peering, or of all peerings of the AS",
    },
  },
  checkPeerConfig: {
    summary: "Every reason for which updatePeerConfig would reject these values; changes nothing",
    errors: { 429: "Too many checks" },
  },
  switchNodeKey: {
    summary: "Switch the tunnel to the node's new public key, which getNodeConfig announces, and deploy it",
    errors: {
      404: noPeering,
      409: "No new key is announced, the tunnel has it already, or another deployment of the peering is running",
      429: "Too many changes of this peering, or of all peerings of the AS",
    },
  },
  deletePeer: {
    summary: "Remove the peering from a node",
    errors: { 404: noPeering, 409: "Another deployment of this peering is running" },
  },
  getTaskStatus: {
    summary: "Status of a deployment",
    errors: { 404: "No such task of this AS" },
  },
  getPeerConfig: {
    summary: "The peering's configuration, keyed by node name",
    errors: { 404: noPeering },
  },
  getPresharedKey: {
    summary: "The pre-shared key of the peering. It is in no other response, and the app does not store it",
    errors: { 404: "No peering of this AS on the node, or it has no pre-shared key that the server knows" },
  },
  getNodeConfig: {
    summary: "The provider's side of the peering",
    errors: { 404: noPeering },
  },
  getPeeringConfigs: {
    summary: "Both sides of every peering of the AS, as getPeerConfig and getNodeConfig return them",
    errors: { 429: "Too many reads" },
  },
  checkPeerDeletionValidity: {
    summary: "200 when there is a peering to delete",
    errors: { 404: noPeering },
  },
  getPeerDetails: {
    summary: "What WireGuard and BIRD print about the peering, keyed by node name",
    errors: { 404: noPeering, 429: tooManyQueries, 503: nodeUnreachable },
  },
  troubleshootBGP: {
    summary: "Compare the BGP configuration with what the neighbour announces",
    errors: { 404: noPeering, 429: tooManyQueries, 503: nodeUnreachable },
  },
  restartBGPPeer: {
    summary: "Restart the peering's BGP sessions",
    errors: {
      404: noPeering,
      429: "Too many queries, or a restart in the last 30 seconds",
      502: "BIRD refused; its output is in the response",
      503: nodeUnreachable,
    },
  },
  getPeerReceivedRoutes: {
    summary: "Routes received from the participant",
    errors: { 404: noPeering, 429: tooManyQueries, 503: nodeUnreachable },
  },
  getPeerAdvertisedRoutes: {
    summary: "Routes advertised to the participant",
    errors: { 404: noPeering, 429: tooManyQueries, 503: nodeUnreachable },
  },
  pingCheck: {
    summary: "Ping the participant's tunnel address from the node",
    errors: { 404: noPeering, 429: tooManyQueries, 503: nodeUnreachable },
  },
  getPeerStatus: {
    summary: "State of every peering of this AS",
  },
  getTasks: {
    summary: "Unfinished deployments of this AS, newest first",
  },
  getRefusedRoutes: {
    summary: "Routes of the participant that the node's filters refuse, each with how to fix it",
    errors: { 404: noPeering, 429: tooManyQueries, 503: nodeUnreachable },
  },
  getPeeringHistory: {
    summary: "Uptime, latency, routes and traffic of every peering of this AS over 24 hours, in half hours",
  },
  getSessionChanges: {
    summary: "When the sessions of this AS became Established and ended in the last seven days, newest first",
  },
  getNetworkSummary: {
    summary:
      "State, uptime and load of every node, and what the provider publishes of its peerings and links",
  },
  getActivity: {
    summary: "Logins, changes and deployments of this AS, newest first",
  },
  endAllLoginSessions: {
    summary: "End every login session of this AS, that of the caller included",
  },
  getAccount: {
    summary: "The account of this AS, and its deletion if one is running",
  },
  changePassword: {
    summary: "Change the password; ends all other login sessions of the AS and renews this one",
    errors: {
      409: "The password has changed in the meantime",
      422: "The current password is wrong, or the new one is not accepted",
      429: "Too many attempts",
    },
  },
  getLoginSessions: {
    summary: "The login sessions of this AS, the last used one first",
  },
  endLoginSession: {
    summary: "End one login session of this AS",
    errors: { 404: "This AS has no such login session" },
  },
  exportAccount: {
    summary: "Everything that the server stores about this AS, without secrets",
    errors: { 429: "Too many exports" },
  },
  deleteAccount: {
    summary: "Remove all peerings of this AS from their nodes, then delete its account",
    errors: {
      403: "The password is turned off, and the login was more than 15 minutes ago",
      422: "The password is wrong",
      429: "Too many attempts",
    },
  },
  cancelAccountDeletion: {
    summary: "Keep the account whose deletion is running; peerings that are already removed stay removed",
    errors: { 404: "No deletion is running" },
  },
  getAccountDeletion: {
    summary: "How far a deletion is, by its ID; also after the account is deleted, for 30 days",
    errors: { 404: "No such deletion" },
  },
  getEndpointRoundTrips: {
    summary: "Round trip from every node to the endpoint host that most peerings of this AS have",
    errors: { 429: "Too many measurements" },
  },
  joinNode: {
    summary: "Let an agent join as a node, with a line that the operator has created (peerdeck-agent join)",
    errors: {
      403: "The proof is wrong",
      404: "No such line",
      409: "The line was used or has expired, or the node has joined",
      422: "A value is wrong, or agent and server speak different protocols",
      429: "Too many attempts",
      502: "The server cannot reach the agent; the line stays valid",
    },
  },
};
