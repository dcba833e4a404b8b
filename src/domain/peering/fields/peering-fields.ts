/**
 * The fields of a peering. Their order is that of the form, the confirmation and the errors.
 *
 * The form, its steps, the Edit tab, the audit log and the server's errors read this table. A new option is a row here, its
 * value in `option-values.ts`, a rule in `option-rules.ts`, and its effect on the node and in `participant-config.ts`.
 */
import type { PeerUpdateField } from "#contract/entities.ts";
import type { PeerConfig } from "#contract/lenient.ts";
import { shortSentence } from "../../findings/findings.ts";
import { canonicalizeHost } from "../../host-name.ts";
import { parseIpv4 } from "../../ipv4.ts";
import { parseIpv6Text } from "../../ipv6.ts";
import { parsePort } from "../../port.ts";
import { tunnelHasIpv4, tunnelHasIpv6 } from "../bgp-sessions.ts";
import { isMtu, isPresharedKey, isSecretWord, parseMtu } from "../option-rules.ts";
import { isProbeAddress } from "./probe-address.ts";
import { isBase64 } from "../wireguard-key.ts";
import { type FormChoices, type PeeringField, setting, yours } from "./field-row.ts";

export const connectsToNode = shortSentence({ code: "no-endpoint", facts: {} });

const always = () => true;
const never = () => false;

const hasPeerIpv4 = ({ address_family, bgp_extnh }: FormChoices) =>
  tunnelHasIpv4({ addressFamily: address_family, extendedNextHop: bgp_extnh !== "No" });
const hasIpv6 = ({ address_family }: FormChoices) => tunnelHasIpv6({ addressFamily: address_family });

const hasEndpoint = ({ no_endpoint }: FormChoices) => no_endpoint !== "Yes";

const separatorOf = ({ remote }: PeerConfig) => remote.lastIndexOf(":");

export const peeringFields = {
  node: {
    step: "selectNode",
    label: "Node",
    name: "node",
    request: null,
    interrupts: "nothing",
    input: null,
    shown: [],
  },
  address_family: {
    step: "selectBGPDetails",
    interrupts: "sessions",
    label: "Address family",
    name: "address family",
    request: "addressFamily",
    input: null,
    shown: [
      setting(1, "IPv4", ({ bgp_ipv4 }) => bgp_ipv4),
      setting(2, "IPv6", ({ bgp_ipv6 }) => bgp_ipv6),
      setting(3, "MP-BGP", ({ bgp_mpbgp }) => bgp_mpbgp),
    ],
  },
  bgp_extnh: {
    step: "selectBGPDetails",
    interrupts: "sessions",
    label: "Extended Nexthop",
    name: "extended next hop",
    request: "extendedNextHop",
    input: null,
    shown: [setting(4, "Extended Nexthop", ({ bgp_extnh }) => bgp_extnh)],
  },
  remote_ip: {
    step: "enterDetails",
    interrupts: "nothing",
    label: "Public IP or hostname",
    name: "public IP or hostname",
    request: "endpointHost",
    input: {
      hint: "Where your router can be reached on the Internet: an IPv4 address or hostname.",
      placeholder: "router.example.org",
      inputMode: "text",
      isValid: (text) => canonicalizeHost(text) !== null,
      isShown: hasEndpoint,
      isRequired: hasEndpoint,
      fromConfig: (config) => config.remote.slice(0, separatorOf(config)),
    },
    shown: [yours(1, "IP/port", ({ remote }) => remote, "your IP and port")],
  },
  remote_port: {
    step: "enterDetails",
    interrupts: "nothing",
    label: "Port",
    name: "port",
    request: "endpointPort",
    input: {
      hint: "The UDP port your WireGuard listens on, from 1 to 65535.",
      placeholder: "51820",
      inputMode: "numeric",
      isValid: (text) => parsePort(text) !== null,
      isShown: hasEndpoint,
      isRequired: hasEndpoint,
      fromConfig: (config) => config.remote.slice(separatorOf(config) + 1),
    },
    // With the host.
    shown: [],
  },
  public_key: {
    step: "enterDetails",
    interrupts: "tunnel",
    label: "Public key",
    name: "public key",
    request: "publicKey",
    input: {
      hint: "Your WireGuard public key as printed by 'wg pubkey': 44 characters ending in '='.",
      placeholder: "",
      inputMode: "text",
      isValid: isBase64,
      isShown: always,
      isRequired: always,
      fromConfig: ({ peer_publickey }) => peer_publickey,
    },
    shown: [yours(5, "Public key", ({ peer_publickey }) => peer_publickey, "your public key")],
  },
  peer_ipv4: {
    step: "enterDetails",
    interrupts: "sessions",
    label: "IPv4 tunnel address",
    name: "IPv4 tunnel address",
    request: "peerIpv4",
    input: {
      hint: "Your IPv4 address in the tunnel, without a prefix length.",
      placeholder: "172.20.0.1",
      inputMode: "text",
      isValid: (text) => parseIpv4(text) !== null,
      isShown: hasPeerIpv4,
      isRequired: hasPeerIpv4,
      fromConfig: ({ peer_ipv4 }) => peer_ipv4,
    },
    shown: [yours(3, "IPv4", ({ peer_ipv4 }) => peer_ipv4, "your IPv4 address")],
  },
  peer_ipv6: {
    step: "enterDetails",
    interrupts: "sessions",
    label: "IPv6 tunnel address",
    name: "IPv6 tunnel address",
    request: "peerIpv6",
    input: {
      hint: "Your IPv6 address in the tunnel, without a prefix length. Link-local is preferred.",
      placeholder: "fe80::1",
      inputMode: "text",
      isValid: (text) => parseIpv6Text(text) !== null,
      isShown: hasIpv6,
      isRequired: ({ address_family, bgp_extnh }) => address_family === "Both" && bgp_extnh === "Yes",
      fromConfig: ({ peer_ipv6 }) => peer_ipv6,
    },
    shown: [yours(4, "IPv6", ({ peer_ipv6 }) => peer_ipv6, "your IPv6 address")],
  },
  local_ipv6: {
    step: "selectBGPDetails",
    interrupts: "sessions",
    label: "Enter the IPv6 address (link-local preferred):",
    // In the form, the label is a request to enter it.
    confirmLabel: "Our tunnel IPv6",
    name: "node's IPv6 tunnel address",
    request: "customLocalIpv6",
    absent: "default",
    input: {
      hint: "Our IPv6 address in the tunnel, without a prefix length. Leave empty and we choose one.",
      placeholder: "fe80::2",
      inputMode: "text",
      isValid: (text) => text === "" || parseIpv6Text(text) !== null,
      isShown: (choices) => hasIpv6(choices) && choices.custom_local_ipv6 === "Yes",
      isRequired: never,
      fromConfig: ({ local_ipv6 }) => local_ipv6,
    },
    // On the provider's side, as the node has it.
    shown: [],
  },
  mtu: {
    step: "enterDetails",
    interrupts: "nothing",
    label: "MTU",
    name: "MTU",
    request: "mtu",
    absent: "default",
    isOption: true,
    input: {
      hint: "The MTU on both sides, from 1280 to 1420. Leave empty for 1420. PPPoE over IPv6 needs 1412.",
      placeholder: "1420",
      inputMode: "numeric",
      isValid: (text) => text === "" || isMtu(parseMtu(text)),
      isShown: always,
      isRequired: never,
      fromConfig: ({ mtu }) => mtu,
    },
    shown: [yours(6, "MTU", ({ mtu }) => mtu, "the MTU")],
  },
  probe_address: {
    step: "enterDetails",
    interrupts: "nothing",
    label: "An address in your network to probe",
    name: "address to probe",
    request: "probeAddress",
    isOption: true,
    input: {
      hint: "The node sends it one small ping a minute through the tunnel, and nothing else. It must be registered to your AS.",
      placeholder: "172.20.0.53",
      inputMode: "text",
      isValid: (text) => text === "" || isProbeAddress(text),
      isShown: always,
      isRequired: never,
      fromConfig: ({ probe_address }) => probe_address,
    },
    shown: [yours(8, "Address to probe", ({ probe_address }) => probe_address, "the address to probe")],
  },
  preshared_key: {
    step: "enterDetails",
    interrupts: "tunnel",
    label: "Pre-shared key",
    name: "pre-shared key",
    request: "presharedKey",
    isOption: true,
    isSecret: true,
    input: {
      hint: "A second key for the tunnel, the same on both sides, as printed by 'wg genpsk'. We can generate one.",
      placeholder: "",
      inputMode: "text",
      isValid: (text) => text === "" || isSecretWord(text) || isPresharedKey(text),
      isShown: always,
      isRequired: never,
      fromConfig: ({ preshared_key }) => (preshared_key === "" ? "" : "keep"),
    },
    shown: [
      yours(
        7,
        "Pre-shared key",
        ({ preshared_key }) =>
          preshared_key === "set"
            ? "In the configuration for your router"
            : preshared_key === "unknown"
              ? "The server no longer has it: enter it again, or generate another one"
              : "",
        null,
      ),
    ],
  },
  no_endpoint: {
    step: "enterDetails",
    interrupts: "nothing",
    label: "My router has no public address",
    confirmLabel: "Endpoint",
    name: "endpoint",
    // The host and the port say it.
    request: null,
    isOption: true,
    input: {
      hint: "Your router connects to our node, for example from behind NAT. Host and port are not needed.",
      placeholder: "",
      inputMode: "checkbox",
      isValid: (text) => text === "" || text === "Yes",
      isShown: always,
      isRequired: never,
      fromConfig: ({ no_endpoint }) => no_endpoint,
    },
    shown: [yours(2, "Endpoint", ({ no_endpoint }) => (no_endpoint === "Yes" ? connectsToNode : ""), null)],
  },
} as const satisfies Readonly<Record<PeerUpdateField, PeeringField>>;
