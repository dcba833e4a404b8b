import { type Call, defineCalls } from "../call.ts";
import * as e from "../entities.ts";
import * as lenient from "../lenient.ts";

export const nodeKeyCalls = defineCalls({
  /** Give the tunnel the node's new key, which `getNodeConfig` announces. */
  switchNodeKey: {
    method: "POST",
    path: "/api/switchNodeKey",
    access: "participant",
    optional: true,
    body: e.peeringBody,
    response: e.task,
    accepted: lenient.startedTask,
  },
} satisfies Record<string, Call>);
