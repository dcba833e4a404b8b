/** Failures on demand: an endpoint's host name decides how its deployment goes. */
import { provider } from "./provider.ts";
import { Refused } from "./refused.ts";
import type { MockEnding } from "./state.ts";

export const specialHosts = {
  /** Answered with 422 at `remote_ip`. */
  refused: "refused.example.org",
  /** Answered with 409. */
  conflict: "conflict.example.org",
  /** Answered with 500. */
  broken: "broken.example.org",
  /** The task ends `failed`. */
  unresolved: "unresolved.example.org",
  /** The task ends `error`. */
  offline: "offline.example.org",
  /** The task waits for as long as anybody polls. */
  endless: "endless.example.org",
} as const;

export function refuseSpecialHost(host: string): void {
  switch (host) {
    case specialHosts.refused:
      throw new Refused(422, {
        message: `${host} is a node of ours. Enter the address of your own router.`,
        field: "remote_ip",
      });
    case specialHosts.conflict:
      throw new Refused(409, {
        message: "This peering was changed meanwhile. Nothing of yours was deployed.",
      });
    case specialHosts.broken:
      throw new Refused(500, { message: "The server made a mistake. Nothing was changed." });
  }
}

export function endingFor(host: string, node: string): MockEnding {
  switch (host) {
    case specialHosts.unresolved:
      return {
        status: "failed",
        reason: `${host} does not resolve to an IP address. The previous configuration still runs.`,
      };
    case specialHosts.offline:
      return {
        status: "error",
        reason: `${node}.${provider.domain} could not be reached for two minutes. The previous configuration was restored.`,
      };
    default:
      return { status: "success", reason: "" };
  }
}

export function deploySteps(node: string, asn: string): string[] {
  return [
    `Handed the peering to ${node}.`,
    `Rendered the configuration of interface dn42_${asn}.`,
    "Applied the WireGuard configuration.",
    "BIRD accepted the new configuration.",
  ];
}

export function deletionSteps(node: string, asn: string): string[] {
  return [`Handed the deletion to ${node}.`, `Removed the BGP sessions and interface dn42_${asn}.`];
}
