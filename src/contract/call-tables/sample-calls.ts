/** What was observed of nodes in the last three hours. Beyond the specification. */
import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import { usernameBody } from "../entities.ts";

/** Samples of a node over the last three hours, oldest first. Beyond the specification. */
export const nodeSamples = v.object({
  node: v.string(),
  samples: v.array(
    v.object({
      /** Milliseconds since 1970. */
      at: v.number(),
      /** Null if the node did not reply. */
      cpuPercent: v.nullable(v.number()),
      memoryPercent: v.nullable(v.number()),
      routes: v.nullable(v.object({ ipv4: v.number(), ipv6: v.number() })),
    }),
  ),
  /** Traffic of the caller's tunnel in bytes a second, measured on the node; null without a peering there. */
  traffic: v.nullable(v.array(v.object({ at: v.number(), received: v.number(), sent: v.number() }))),
});
export type NodeSamples = v.InferOutput<typeof nodeSamples>;

export const sampleCalls = defineCalls({
  getNodeSamples: {
    method: "POST",
    path: "/api/getNodeSamples",
    access: "participant",
    optional: true,
    cached: true,
    body: usernameBody,
    response: v.array(nodeSamples),
  },
} satisfies Record<string, Call>);
