/** What can be wrong with a participant's WireGuard tunnel. */
import { factKinds } from "#contract/agent/findings.ts";
import { formatAge, formatDuration } from "../../text/age.ts";
import { findingRow, listWords } from "./finding-row.ts";
import { plural } from "../../text/plural.ts";
import { formatTime } from "../../text/time.ts";

const { word, words, number, boolean, optional } = factKinds;

/** What probes find never changes a state: a router may drop pings on purpose. Nor does what is announced. */
const noted = { segment: "tunnel", weight: "note" } as const;

const down = { segment: "tunnel", weight: "broken" } as const;

export const tunnelFindings = {
  "tunnel-not-running": findingRow(
    {},
    {
      ...down,
      sentence: "The node is restoring your tunnel",
      explanation:
        "The node is not running this tunnel at the moment. It will be set up again automatically.",
    },
  ),
  "port-in-use": findingRow(
    { port: number },
    {
      ...down,
      sentence: "Another program uses your tunnel's port",
      explanation: ({ port }) => `UDP port ${port} is used by another program on the node.`,
      participantFix: "Change your peering to get another port.",
      providerFix: "Stop the program that uses the port. The tunnel starts when it is free.",
    },
  ),
  // Also why a change is refused.
  "node-without-ipv6": findingRow(
    {},
    {
      ...down,
      sentence: "The node has no IPv6 at the moment",
      explanation: "The node has no IPv6 at the moment, so the tunnel has no IPv6 addresses there.",
      participantFix: "Try again when the provider has fixed it, or change your peering to IPv4 only.",
      providerFix: "The tunnel gets its addresses when the kernel's IPv6 is on.",
    },
  ),
  "tunnel-cannot-start": findingRow(
    {},
    {
      ...down,
      sentence: "The node cannot start your tunnel",
      explanation: "The node cannot start this tunnel at the moment, and tries it again by itself.",
      providerFix: "The node's issues say why.",
    },
  ),
  // For two minutes after a deployment. A state that cannot be known yet is no fault.
  "router-awaited": findingRow(
    {},
    {
      segment: "tunnel",
      weight: "unknown",
      sentence: "Waiting for your router",
      explanation: "The node is ready and waits for the first handshake with your router.",
      participantFix: "Set up your side with the configuration under Edit Peering.",
    },
  ),
  "no-handshake": findingRow(
    // For how long the node has sent; absent if it is not known.
    { endpoint: word, hasPresharedKey: boolean, seconds: optional(number) },
    {
      ...down,
      sentence: ({ seconds }) => `No handshake with your router ${forOrYet(seconds)}`,
      explanation: ({ endpoint, seconds }) =>
        isWorthSaying(seconds)
          ? `The node has sent handshakes to ${endpoint} for ${formatDuration(seconds)}, and nothing came back.`
          : `No handshake with ${endpoint} yet.`,
      participantFix: ({ hasPresharedKey }) =>
        `Check that this address and UDP port reach your router, that it has the node's public key${andKey(hasPresharedKey)}, and that ` +
        "PersistentKeepalive is set on it.",
    },
  ),
  "handshake-expired": findingRow(
    { endpoint: word, ageSeconds: number, hasPresharedKey: boolean },
    {
      ...down,
      sentence: noHandshakeFor,
      explanation: ({ endpoint, ageSeconds }) =>
        `The last handshake with ${endpoint} was ${formatAge(ageSeconds)}. The node has tried again since, and nothing came back.`,
      participantFix: ({ hasPresharedKey }) =>
        `Check that your router is up${hasPresharedKey ? ", that its address has not changed, and that it has the same pre-shared key" : " and that its address has not changed"}.`,
    },
  ),
  "handshake-incomplete": findingRow(
    { hasPresharedKey: boolean },
    {
      ...down,
      sentence: "Handshakes with your router fail",
      explanation: "Your router's packets arrive with the right keys, but no handshake is completed.",
      participantFix: ({ hasPresharedKey }) =>
        hasPresharedKey
          ? "Check that both sides have the same pre-shared key, and that your firewall accepts the node's replies."
          : "Check that your router has no pre-shared key, and that your firewall accepts the node's replies.",
    },
  ),
  // Without an endpoint on the node.
  "router-not-connected": findingRow(
    { port: number, hasPresharedKey: boolean, seconds: optional(number) },
    {
      ...down,
      sentence: ({ seconds }) => `Your router has not connected ${forOrYet(seconds)}`,
      explanation: ({ port, seconds }) =>
        isWorthSaying(seconds)
          ? `The node has waited on UDP port ${port} for ${formatDuration(seconds)}, and no handshake arrived. Your router connects to the node.`
          : "No handshake yet. Your router connects to the node.",
      participantFix: checkConnection,
    },
  ),
  "router-disconnected": findingRow(
    { port: number, ageSeconds: number, hasPresharedKey: boolean },
    {
      ...down,
      sentence: noHandshakeFor,
      explanation: ({ ageSeconds }) =>
        `The last handshake was ${formatAge(ageSeconds)}, and none arrived since. Your router connects to the node.`,
      participantFix: checkConnection,
    },
  ),
  "node-key-changed": findingRow(
    { host: word, publicKey: word },
    {
      ...down,
      sentence: "The node has a new public key",
      explanation: ({ host }) => `The public key of ${host} has changed.`,
      participantFix: ({ publicKey }) => `Set it to ${publicKey} in your configuration.`,
    },
  ),
  // Until the participant switches the tunnel, or the date, in milliseconds since 1970.
  "node-rekey": findingRow(
    { host: word, publicKey: word, switchAt: number },
    {
      ...noted,
      sentence: "The node gets a new public key",
      explanation: ({ host, publicKey, switchAt }) =>
        `The new public key of ${host} is ${publicKey}. Your tunnel keeps the present one until you switch it, or until ${formatTime(switchAt)}.`,
      participantFix: "Set the new key in your configuration, and switch the tunnel at the same time.",
    },
  ),
  "no-ping-reply": findingRow(
    { address: word },
    {
      ...noted,
      sentence: "Your router does not reply to pings",
      explanation: ({ address }) => `${address} does not reply to pings through the tunnel.`,
      participantFix:
        "If your firewall drops them on purpose, nothing is wrong. Otherwise check that this address is on your tunnel interface.",
    },
  ),
  "packet-loss": findingRow(
    { percent: number },
    {
      ...noted,
      sentence: ({ percent }) => `${percent}% of probes are lost`,
      explanation: ({ percent }) => `${percent}% of the node's probes of the last five minutes got no reply.`,
      participantFix:
        "The line between the node and your router loses packets, or your router limits how many pings it replies to.",
    },
  ),
  "way-blocked": findingRow(
    { families: words, sources: words, addresses: words },
    {
      ...noted,
      sentence: "Only the tunnel's own addresses get replies",
      explanation: ({ families, sources, addresses }) =>
        `${listWords(families)}: ${listWords(addresses)} ${plural(addresses.length, "replies", "reply")} to the node's address in the tunnel, but not to ${listWords(sources)}. ` +
        "The cause is probably AllowedIPs or a firewall on your router that only let the tunnel's own addresses pass.",
      participantFix:
        "Set AllowedIPs of the node's peer to all networks, as in the configuration for your router, and accept forwarded packets from the tunnel.",
    },
  ),
  "network-silent": findingRow(
    { address: word, source: word },
    {
      ...noted,
      sentence: "Your network's address does not reply",
      explanation: ({ address, source }) => `${address} does not reply to ${source} through the tunnel.`,
      participantFix:
        "Check that your router forwards packets between the tunnel and your network, that the address replies to pings, and that your network has a route back.",
    },
  ),
  "network-not-routed": findingRow(
    { address: word },
    {
      ...noted,
      sentence: "Your network's address is not probed",
      explanation: ({ address }) =>
        `The node's route to ${address} does not lead through this tunnel, so the address is not probed.`,
      participantFix: "Announce the prefix that contains it over this session, or choose another address.",
    },
  ),
};

function noHandshakeFor({ ageSeconds }: { readonly ageSeconds: number }): string {
  return `No handshake for ${formatDuration(ageSeconds)}`;
}

/** Before a minute, a first handshake may still be on its way. */
function isWorthSaying(seconds: number | undefined): seconds is number {
  return seconds !== undefined && seconds >= 60;
}

function forOrYet(seconds: number | undefined): string {
  return isWorthSaying(seconds) ? `for ${formatDuration(seconds)}` : "yet";
}

function andKey(hasPresharedKey: boolean): string {
  return hasPresharedKey ? " and the same pre-shared key" : "";
}

function checkConnection(facts: { readonly port: number; readonly hasPresharedKey: boolean }): string {
  return (
    `Check that it has the node's address, UDP port ${facts.port} and public key${facts.hasPresharedKey ? ", the same pre-shared key" : ""}, and that ` +
    "PersistentKeepalive is set on it."
  );
}
