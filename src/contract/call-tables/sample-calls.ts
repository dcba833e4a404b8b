/** What was observed of nodes and tunnels in the last three hours, as columns of numbers. Beyond the specification. */
import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import { usernameBody } from "../entities.ts";

/** When was observed, the oldest first; milliseconds since 1970. */
const times = v.array(v.number());

/** A value for each of the times; null where it is not known. Without the newest times, the node was not observed then. */
const column = v.array(v.nullable(v.number()));

/** The load and the routes of the nodes. All values of a time are null if the node did not respond. */
export const nodeSeries = v.object({
  times,
  nodes: v.array(
    v.object({
      node: v.string(),
      /** In percent. */
      cpu: column,
      /** In percent. */
      memory: column,
      /** The number of routes. */
      ipv4: column,
      ipv6: column,
    }),
  ),
});
export type NodeSeries = v.InferOutput<typeof nodeSeries>;
export type NodeColumns = NodeSeries["nodes"][number];

/** The traffic of the caller's tunnels in bytes a second, measured on the nodes of the peerings. */
export const trafficSeries = v.object({
  times,
  nodes: v.array(v.object({ node: v.string(), received: column, sent: column })),
});
export type TrafficSeries = v.InferOutput<typeof trafficSeries>;

export const sampleCalls = defineCalls({
  getNodeSeries: {
    method: "GET",
    path: "/api/getNodeSeries",
    access: "participant",
    optional: true,
    cached: true,
    hasEtag: true,
    body: null,
    response: nodeSeries,
  },
  getTrafficSeries: {
    method: "POST",
    path: "/api/getTrafficSeries",
    access: "participant",
    optional: true,
    cached: true,
    body: usernameBody,
    response: trafficSeries,
  },
} satisfies Record<string, Call>);
