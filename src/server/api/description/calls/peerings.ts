import { describeCalls } from "../call-description.ts";
import { node, noPeering, taskID, username, waitingTask } from "./examples.ts";

const update = {
  node,
  address_family: "Both",
  bgp_extnh: "Yes",
  remote_ip: "203.0.113.7",
  remote_port: "51820",
  peer_ipv6: "fe80::1",
  public_key: "HIgo9xNzJMWLKASShiTqIybxZ0U3wGLiUeJ1PKf8ykw=",
} as const;

const tooManyChanges = "Too many changes of this peering, or of all peerings of the AS";
const changeLimits = {
  changePerPeering: "changes of a peering",
  changePerAs: "changes of all peerings of an AS",
  changePerAsAndDay: "changes of all peerings of an AS",
};

export const peeringDescriptions = describeCalls("Peerings", {
  updatePeerConfig: {
    summary: "Create or change the peering on a node and deploy it",
    description:
      "The body is an array of two items: the caller, and all values of the peering. An update replaces every value; an absent " +
      "option stays as it is. The response is a task: call `getTaskStatus` with its `taskID` until it ends. The same submit, sent " +
      "again while its task is waiting or within a minute after its success, returns the same task, so a retry after a network " +
      "failure is safe.",
    limits: changeLimits,
    errors: {
      409: "The peering has changed since, another deployment of it is running, or another AS uses the public key",
      422: "A value is invalid: `field` names it, and `errors` lists all of them",
      429: tooManyChanges,
    },
    request: [{ username }, update],
    response: waitingTask,
  },
  checkPeerConfig: {
    summary: "Every reason for which updatePeerConfig would reject these values",
    description:
      "Changes nothing. An empty list means that the values are accepted now. Takes the same body as `updatePeerConfig`.",
    limits: { checkPerAs: "checks of an AS" },
    errors: { 429: "Too many checks" },
    request: [{ username }, update],
    response: [{ field: "remote_port", message: "A port is a number from 1 to 65535." }],
  },
  deletePeer: {
    summary: "Remove the peering from a node",
    description:
      "Returns a task, which ends with `success` when the node has removed tunnel and sessions. A deletion is never limited.",
    errors: { 404: noPeering, 409: "Another deployment of this peering is running" },
    response: { ...waitingTask, kind: "delete" },
  },
  getTaskStatus: {
    summary: "Status of a deployment",
    description:
      "Poll it every second or slower until `status` is not `waiting`. Most deployments end within seconds; if the node does not " +
      "respond, the task ends after two minutes. `failed`: the node refused the change. `error`: the node was not reached. In both " +
      "cases the previous configuration still runs, and `reason` says why. Ended tasks are kept for 30 days.",
    errors: { 404: "No such task of this AS" },
    request: { username, taskID },
    response: {
      ...waitingTask,
      status: "success",
      steps: ["BIRD loaded the configuration."],
      deadline: null,
    },
  },
  getTasks: {
    summary: "Unfinished deployments of this AS, newest first",
    description: "For a script that has lost the ID of its task. It is empty if no deployment is running.",
  },
  getPeerConfig: {
    summary: "The peering's configuration, keyed by node name",
    description:
      "What is configured for the participant on the node. To edit a peering, read it here, change values, and send all of them " +
      "to `updatePeerConfig`, with `generation` if the update must fail when another script or person has changed the peering meanwhile.",
    errors: { 404: noPeering },
    response: {
      [node]: {
        local_port: "20001",
        local_asn: "4242420000",
        remote: "203.0.113.7:51820",
        peer_ipv4: "",
        peer_ipv6: "fe80::1",
        peer_publickey: update.public_key,
        peer_asn: username,
        bgp_ipv4: "Yes",
        bgp_ipv6: "Yes",
        bgp_mpbgp: "Yes",
        bgp_extnh: "Yes",
        address_family: "Both",
        local_ipv6: "",
        generation: 7,
        mtu: "",
        probe_address: "",
        preshared_key: "",
        no_endpoint: "",
      },
    },
  },
  getNodeConfig: {
    summary: "The provider's side of the peering",
    description:
      "What the participant's router needs: the node's address, tunnel addresses and public key. The node's port is `local_port` " +
      "of `getPeerConfig`.",
    errors: { 404: noPeering },
    response: {
      public_ip: "203.0.113.10",
      local_ipv4: "172.20.0.10",
      local_ipv6: "fe80::100",
      public_key: "pBo2xo0sJD0NxFN2mVZL2PxgPgS3oQ1YXZ4cYPrJkEQ=",
    },
  },
  getPeeringConfigs: {
    summary: "Both sides of every peering of the AS",
    description: "What `getPeerConfig` and `getNodeConfig` return, for all peerings at once.",
    limits: { configsPerAs: "reads of an AS" },
    errors: { 429: "Too many reads" },
  },
  getPresharedKey: {
    summary: "The pre-shared key of the peering",
    description: "No other response contains it. Do not store the response where others can read it.",
    errors: { 404: "No peering of this AS on the node, or it has no pre-shared key that the server knows" },
  },
  checkPeerDeletionValidity: {
    summary: "200 when there is a peering to delete",
    description: "A script does not need it: `deletePeer` responds with the same error.",
    errors: { 404: noPeering },
  },
  switchNodeKey: {
    summary: "Switch the tunnel to the node's new public key",
    description:
      "While the node gets another key, `getNodeConfig` announces it as `next_public_key`. Call this when the participant's router " +
      "has the new key. Returns a task. Without a handshake within five minutes, the tunnel goes back to the present key.",
    limits: changeLimits,
    errors: {
      404: noPeering,
      409: "No new key is announced, the tunnel has it already, or another deployment of the peering is running",
      429: tooManyChanges,
    },
  },
});
