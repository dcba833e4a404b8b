/** What can be wrong with a participant's WireGuard tunnel. */
import { factKinds } from "../../contract/findings.ts";
import { formatAge } from "../age.ts";
import { findingRow } from "./finding-row.ts";

const { word, number } = factKinds;

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
  "no-handshake": findingRow(
    { endpoint: word },
    {
      ...down,
      sentence: "No handshake with your router yet",
      explanation: ({ endpoint }) => `No handshake with ${endpoint} yet.`,
      participantFix:
        "Check that this address and UDP port reach your router, that it has the node's public key, and that " +
        "PersistentKeepalive is set on it.",
    },
  ),
  "handshake-expired": findingRow(
    { endpoint: word, ageSeconds: number },
    {
      ...down,
      sentence: ({ ageSeconds }) => `No handshake for ${formatAge(ageSeconds).replace(/ ago$/, "")}`,
      explanation: ({ endpoint, ageSeconds }) =>
        `The last handshake with ${endpoint} was ${formatAge(ageSeconds)}.`,
      participantFix: "Check that your router is up and that its address has not changed.",
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
  "no-ping-reply": findingRow(
    { address: word },
    {
      segment: "tunnel",
      weight: "degraded",
      sentence: "Your router does not reply to pings",
      explanation: ({ address }) => `${address} does not reply to pings through the tunnel.`,
      participantFix:
        "Check that this address is on your tunnel interface and that your firewall allows ICMP.",
    },
  ),
};
