/** The call that leads to Kioubit's authentication service (decision 86). The browser comes back to a route of its own. */
import * as v from "valibot";
import { defineCalls } from "../../call.ts";
import * as e from "../../entities.ts";

export const kioubitPurposes = ["registration", "reset", "login"] as const;
export type KioubitPurpose = (typeof kioubitPurposes)[number];

/** The path to which the service sends the browser back. */
export function getKioubitReturnPath(purpose: KioubitPurpose): string {
  return `/api/kioubit/${purpose}`;
}

/** Beyond the specification. */
export const kioubitCalls = defineCalls({
  startKioubit: {
    method: "POST",
    path: "/api/startKioubit",
    access: "public",
    optional: true,
    body: v.object({
      purpose: v.picklist(kioubitPurposes),
      /** The AS that the visitor has entered; absent or empty: any AS that the service confirms. */
      asn: v.optional(e.asn, ""),
    }),
    /** The address at the service to open in this browser. */
    response: v.object({ url: v.string() }),
  },
});
