import { describeCalls } from "../call-description.ts";
import { node } from "./examples.ts";

const agentDescriptions = describeCalls("Agents", {
  joinNode: {
    summary: "Let an agent join as a node, with a line that the operator has created",
    description: "`peerdeck-agent join` calls it, with a proof that only the line's secret makes possible.",
    limits: { joinPerClient: "attempts of a client" },
    errors: {
      403: "The proof is wrong",
      404: "No such line",
      409: "The line was used or has expired, or the node has joined",
      422: "A value is wrong, or agent and server speak different protocols",
      429: "Too many attempts",
      502: "The server cannot reach the agent; the line stays valid",
    },
    request: { token: "k3v9x0", request: { text: "{…}", proof: "…" } },
  },
});

export const nodeDescriptions = {
  ...describeCalls("Nodes", {
    nodes: {
      summary: "The nodes, whether they accept new peerings, and what a tunnel with them needs",
      description:
        "Start here: `nodes[].name` is the `node` of the other calls. Only a node with the state `open` accepts a new peering. " +
        "Pages of every site may read it (CORS). Send `If-None-Match` if you read it regularly, at most once a minute.",
      response: {
        provider: { name: "Example", asn: "4242420000", url: "https://peering.example.net" },
        nodes: [
          {
            name: node,
            host: "de01.example.net",
            place: "Frankfurt, Germany",
            lat: 50.11,
            lon: 8.68,
            state: "open",
            families: ["IPv4", "IPv6"],
            capacity: null,
            peerings: null,
            endpoints: ["203.0.113.10"],
            public_key: "pBo2xo0sJD0NxFN2mVZL2PxgPgS3oQ1YXZ4cYPrJkEQ=",
            tunnel_ipv4: "172.20.0.10",
            link_local: "fe80::100",
            mtu: 1420,
          },
        ],
      },
    },
    provider: {
      summary: "The public part of the provider profile",
      description:
        "Names, links and settings that the app shows, such as the options of a peering that the server accepts (`options`). " +
        "It changes only when the provider changes its profile.",
    },
    getNodesList: {
      summary: "Names of the nodes that a participant can choose",
      description: "`nodes` says more about each of them, and needs no login.",
    },
    getPeeredNodes: {
      summary: "Names of the nodes that this AS peers with",
      description: "A peering counts from its first submit until its deletion has succeeded.",
    },
    getNodeStatus: {
      summary: "State of a node",
      description:
        "`known` is false if the node did not respond: `status` is no statement about its tunnels then. Poll it at most once a " +
        "minute; `getNodeHistories` says the same of all nodes at once.",
      errors: { 404: "No such node" },
    },
    getEndpointRoundTrips: {
      summary: "Round trip from every node to the endpoint host that most peerings of this AS have",
      description:
        "For the choice of the next node. A result is shared for ten minutes. Null: no reply within 0.8 seconds.",
      limits: { measurementPerAs: "measurements of an AS" },
      errors: { 429: "Too many measurements" },
    },
  }),
  ...agentDescriptions,
};
