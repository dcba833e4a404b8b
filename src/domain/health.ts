import type { PeerStatus } from "../contract/entities.ts";

export type Health = "OK" | "Issues" | "Down";

/** One word for a whole peering: Down when tunnel or BGP are, Issues when anything is worth a look, else OK. */
export function peeringHealth(status: PeerStatus): Health {
  if (status.wg_status.state === "Down") return "Down";
  if (status.bgp_status !== "OK" && status.bgp_status !== "Issues") return "Down";
  const issues =
    status.bgp_status === "Issues" || status.wg_status.issues.length > 0 || status.bgp_issues.length > 0;
  return issues ? "Issues" : "OK";
}

/** The status bubble's class: good for OK, issues for Issues, down otherwise. */
export function bubbleClass(status: string): "good" | "issues" | "down" {
  if (status === "OK") return "good";
  return status === "Issues" ? "issues" : "down";
}
