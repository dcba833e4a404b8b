import * as v from "valibot";
import { type Call, defineCalls } from "../call.ts";
import * as e from "../entities.ts";
import * as lenient from "../lenient.ts";

export const configCalls = defineCalls({
  /**
   * Both sides of every peering of the AS: what `getPeerConfig` and `getNodeConfig` return for each. The worker caches the
   * parts as the responses of those two.
   */
  getPeeringConfigs: {
    method: "POST",
    path: "/api/getPeeringConfigs",
    access: "participant",
    optional: true,
    cached: true,
    body: e.usernameBody,
    response: v.array(v.object({ node: v.string(), peer: e.peerConfig, provider: e.nodeConfig })),
    accepted: v.array(v.object({ node: v.string(), peer: lenient.peerConfig, provider: lenient.nodeConfig })),
  },
} satisfies Record<string, Call>);
