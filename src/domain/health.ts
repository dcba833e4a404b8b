import type { PeerStatus } from "../contract/entities.ts";

export type Health = "OK" | "Issues" | "Down";

/** The health of a whole peering: Down if the tunnel or BGP is, Issues if either reports an issue, otherwise OK. */
export function peeringHealth(status: PeerStatus): Health {
  if (status.wg_status.state === "Down") return "Down";
  if (status.bgp_status !== "OK" && status.bgp_status !== "Issues") return "Down";
  const issues =
    status.bgp_status === "Issues" || status.wg_status.issues.length > 0 || status.bgp_issues.length > 0;
  return issues ? "Issues" : "OK";
}

/** The health of the tunnel alone: Issues if it is up and reports one. */
export function tunnelHealth({ state, issues }: PeerStatus["wg_status"]): Health {
  if (state === "Down") return "Down";
  return issues.length > 0 ? "Issues" : "OK";
}

/** The health of a status word. Every word other than OK and Issues counts as Down. */
export function toHealth(status: string): Health {
  return status === "OK" || status === "Issues" ? status : "Down";
}
