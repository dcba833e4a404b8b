/** What the fields of the main job mean, for authors of scripts. */
import type { PublicNode } from "#contract/call-tables/node-calls.ts";
import type { NodeConfig, PeerConfig, PeerStatus, PeerUpdate, Task } from "#contract/entities.ts";
import type { ErrorBody } from "#contract/http-error.ts";
import { peeringFields } from "#domain/peering/fields/peering-fields.ts";

type Descriptions<T> = Readonly<Record<keyof T, string>>;

/** The hints of the form. */
const hint = (field: { readonly input: { readonly hint: string } }) => field.input.hint;

const peerUpdate: Descriptions<PeerUpdate> = {
  node: "A name of `nodes`.",
  address_family: "What the tunnel and BGP carry.",
  bgp_extnh: "Whether IPv4 routes have IPv6 next hops (RFC 8950), if the address family is `Both`.",
  remote_ip: hint(peeringFields.remote_ip),
  remote_port: hint(peeringFields.remote_port),
  peer_ipv4: `${hint(peeringFields.peer_ipv4)} Required for IPv4, and for Both without extended next hop.`,
  peer_ipv6: `${hint(peeringFields.peer_ipv6)} Required for Both with extended next hop.`,
  local_ipv6: hint(peeringFields.local_ipv6),
  public_key: hint(peeringFields.public_key),
  mtu: hint(peeringFields.mtu),
  probe_address: hint(peeringFields.probe_address),
  preshared_key: `${hint(peeringFields.preshared_key)} Send \`generate\`, then read it with \`getPresharedKey\`.`,
  no_endpoint: `Yes: ${hint(peeringFields.no_endpoint)} Send \`remote_ip\` and \`remote_port\` empty then.`,
  generation:
    "The `generation` of the configuration that was read before, 0 for a new peering. If the peering has changed since, the " +
    "response is 409.",
};

const task: Descriptions<Task> = {
  status:
    "`waiting` until it ends. `failed`: the node refused the change. `error`: the node was not reached in time. The previous " +
    "configuration runs after both.",
  taskID: "For `getTaskStatus`.",
  quip: "A humorous waiting message.",
  node: "The node of the peering.",
  kind: "Whether the peering is deployed or deleted.",
  steps: "The steps done so far, a sentence each.",
  reason: "Why it did not succeed, or what it waits for; empty otherwise.",
  deadline:
    "When the server gives up on a node that does not respond, in milliseconds since 1970; null once the task has ended.",
};

const node: Descriptions<PublicNode> = {
  name: "What other calls take as `node`.",
  host: "The name that the app shows.",
  place: "City and country.",
  lat: "Degrees; null if it is not known.",
  lon: "Degrees; null if it is not known.",
  state: "`open`, `closed`, `full` or `draining`. Only an open node accepts new peerings.",
  families: "The address families of its tunnels.",
  capacity: "The most peerings that it accepts; null without a limit.",
  peerings: "The number of its peerings; null unless the provider publishes it.",
  endpoints: "Its public addresses and hostnames, the one that participants enter first.",
  public_key: "Its WireGuard public key; null before it was first reached.",
  tunnel_ipv4: "Its IPv4 address in tunnels; null if it has none.",
  link_local: "Its link-local IPv6 address in tunnels.",
  mtu: "The MTU of a tunnel whose participant chooses none.",
};

const peerConfig: Descriptions<PeerConfig> = {
  local_port: "The node's UDP port for this tunnel.",
  local_asn: "The provider's AS number.",
  remote: "The participant's endpoint, `host:port`; empty without one.",
  peer_ipv4: "The participant's IPv4 address in the tunnel; empty without one.",
  peer_ipv6: "The participant's IPv6 address in the tunnel; empty without one.",
  peer_publickey: "The participant's WireGuard public key.",
  peer_asn: "The participant's AS number.",
  bgp_ipv4: "Whether there is a BGP session over IPv4.",
  bgp_ipv6: "Whether there is a BGP session over IPv6.",
  bgp_mpbgp: "Whether one session carries both address families.",
  bgp_extnh: "Whether IPv4 routes have IPv6 next hops.",
  address_family: "As submitted.",
  local_ipv6: "The submitted IPv6 address of the node in the tunnel; empty if the provider chose it.",
  generation: "Changes with every change of the configuration.",
  mtu: "Empty: the default.",
  probe_address: "Empty: none.",
  preshared_key: "Whether there is a key: `set`, or `unknown` if only the node has it. Empty: none.",
  no_endpoint: "Yes: the participant's router connects to the node.",
};

const nodeConfig: Descriptions<NodeConfig> = {
  public_ip: "The node's address or hostname for the endpoint of the participant's tunnel.",
  local_ipv4: "The node's IPv4 address in the tunnel.",
  local_ipv6: "The node's IPv6 address in the tunnel.",
  public_key: "The node's WireGuard public key; empty if the node was never reached.",
  next_public_key: "The node's next key, which `switchNodeKey` switches to; absent if there is none.",
  switch_at: "When the node uses only the next key, in milliseconds since 1970.",
};

const peerStatus: Descriptions<PeerStatus> = {
  node: "The node of the peering.",
  known: "False if the node did not respond: the values below are placeholders then.",
  bgp_status: "`OK`: all sessions are Established, without an issue.",
  wg_status: "The tunnel.",
  latency: 'Round trip over the tunnel, "12.4 ms"; empty if it is not known.',
  sessions: "One for each BGP session.",
  findings: "What is wrong, as codes with facts.",
  deployment: "The unfinished deployment of the peering, or null.",
};

const error: Descriptions<ErrorBody> = {
  message: "For people: what happened, what was kept, what to do next.",
  field: "The invalid field, if there is one.",
  errors: "Every invalid field, the first one included.",
  output: "What the router printed.",
  needs: "`recent-login`: log in again, since the login is too old for this change.",
};

/** By component, then by field. */
export const fieldDescriptions = {
  PeerUpdate: peerUpdate,
  Task: task,
  Node: node,
  PeerConfig: peerConfig,
  NodeConfig: nodeConfig,
  PeerStatus: peerStatus,
  ErrorBody: error,
  Caller: { username: "The caller's own AS number." },
  Peering: { username: "The caller's own AS number.", node: "A name of `nodes`." },
};
