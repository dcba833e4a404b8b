import { describeCalls } from "../call-description.ts";
import { node } from "./examples.ts";

export const statusDescriptions = describeCalls("Status and history", {
  getPeerStatus: {
    summary: "State of every peering of this AS",
    description:
      "The call to poll, once a minute; right after a deployment every 5 seconds. `known` is false if the node did not respond: the " +
      "other values are placeholders then. `bgp_status` is `OK`, `Issues`, `Down` or `Not found`; `findings` lists what is wrong as " +
      "codes with facts.",
    response: [
      {
        node,
        known: true,
        bgp_status: "OK",
        wg_status: {
          state: "Up",
          issues: [],
          tx: "1.21 MiB",
          rx: "3.40 MiB",
          handshake: "12 s ago",
          endpoint: "203.0.113.7:51820",
          loss: "0%",
        },
        latency: "12.4 ms",
        sessions: [
          {
            name: "dn42_4242420001",
            families: ["IPv4", "IPv6"],
            state: "Established",
            detail: "",
            routes: [{ family: "IPv4", received: 2, accepted: 2, refused: 0, exported: 812 }],
            since: 1_795_000_000_000,
            ends: 0,
          },
        ],
        findings: [],
        deployment: null,
      },
    ],
  },
  getPeeringHistory: {
    summary: "Uptime, latency, routes and traffic of every peering of this AS over 24 hours, in half hours",
    description:
      "A plot is its lowest value, its highest value, and a character for each half hour between `A` and `_` of the base64url " +
      "alphabet; `.` is a half hour without a measurement. It changes once in half an hour.",
  },
  getSessionChanges: {
    summary: "When the sessions of this AS became Established and ended in the last seven days, newest first",
    description: "At most the last 200 changes, as the server observed them.",
  },
  getTrafficSeries: {
    summary: "Traffic of the tunnels of this AS over three hours",
    description: "Bytes a second, one value a minute. Null: not measured. Read it at most once a minute.",
  },
  getNodeSeries: {
    summary: "Load and routes of every node over three hours",
    description: "One value a minute, the same for all participants. Null: the node did not respond.",
  },
  getNodeHistories: {
    summary: "State of every node now, over 24 hours and over 90 days, as the server observed it",
    description: "Counts of observations for each quarter of an hour and each day. It changes once a minute.",
  },
  getNetworkSummary: {
    summary:
      "State, uptime and load of every node, and what the provider publishes of its peerings and links",
    description: "For status pages of others. It changes once a minute.",
  },
  mapVPNStatus: {
    summary: "Links between the provider's nodes",
    description: "`status` is `up`, or another word for a link that is not.",
  },
});
