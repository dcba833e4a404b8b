import type { SessionObservation } from "../drivers/router.ts";

/** The state of a BGP session that exchanges routes, in BIRD's words. */
export const established = "Established";

/** What BIRD's most frequent reasons mean for the participant. */
const faultsByDetail: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Socket: Connection refused/, "your router refused the BGP connection (TCP 179)"],
  [/^Socket: Connection (?:closed|reset)/, "your router closed the BGP connection"],
  [/^Socket: (?:No route to host|Network is unreachable)/, "your router is not reachable through the tunnel"],
];

/** Describes why a BGP session is not Established, as the second part of a sentence. */
export function describeSessionFault({ state, detail }: Omit<SessionObservation, "name">): string {
  const known = faultsByDetail.find(([pattern]) => pattern.test(detail));
  if (known) return known[1];
  if (detail !== "") return `the BGP session is ${state} (${detail})`;
  return noReplyStates.has(state) ? "no reply from your router" : `the BGP session is ${state}`;
}

const noReplyStates = new Set(["Idle", "Connect", "Active"]);
