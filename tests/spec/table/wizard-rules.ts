import type { Rows } from "./row.ts";

/** The order of the wizard's steps, what its choices clear, and what it submits. */
export const wizardRuleRows = {
  3: {
    "form-field-state":
      "Peer configuration form: remote_ip, remote_port, peer_ipv4, peer_ipv6, local_ipv6, public_key each hold a value, an error and a touched flag.",
    "form-field-error":
      "Peer configuration form: each of node, address_family, bgp_extnh and the rest holds an error (Reading: A choice has no error of its own; the server's error is shown above it.)",
    "payload-ipv4":
      "Submit moves to awaitingDeployment. Peer update payload: bgp_extnh default No, each an empty string if absent; missing optional values are confirmed as '[not provided]' (Reading: Our field `generation` is added, so that the server detects a concurrent change.)",
    "payload-both":
      "Peer update payload: node, address_family, bgp_extnh, remote_ip, remote_port, peer_ipv4, peer_ipv6, local_ipv6, public_key",
  },
  4: {
    "wizard-forward":
      "selectNode, selectBGPDetails, enterDetails, confirmDetails forward with Next; Back reverses.",
    "rule-ipv4":
      "IPv4 clears the IPv6 tunnel address, the custom provider IPv6 choice and value, and the extended nexthop choice. Choosing No for the custom provider IPv6 clears that value.",
    "rule-ipv6":
      "IPv6 clears the IPv4 tunnel address and sets extended nexthop to no; empty local_ipv6 means the provider generates one. Both asks for the extended nexthop answer (Reading: The 'no' set by IPv6 is not the participant's answer: Both asks again.)",
    "rule-both": "Both: No keeps the IPv4 tunnel address; Yes clears it and hides the IPv4 field",
  },
} as const satisfies Rows;
