/** Scenarios of a deployment, chosen by the host name of its endpoint. */
import { provider } from "./provider.ts";
import { HttpError } from "../contract/http-error.ts";
import type { MockOutcome } from "./state.ts";

export const specialHosts = {
  /** The submit gets 422 at `remote_ip`. */
  refused: "refused.example.org",
  /** The submit gets 409. */
  conflict: "conflict.example.org",
  /** The submit gets 500. */
  broken: "broken.example.org",
  /** The task ends `failed`. */
  unresolved: "unresolved.example.org",
  /** The task ends `error`. */
  offline: "offline.example.org",
  /** The task never ends. */
  endless: "endless.example.org",
} as const;

/** Throws the `HttpError` of a host whose submit fails. */
export function throwIfSubmitFails(host: string): void {
  switch (host) {
    case specialHosts.refused:
      throw new HttpError(422, {
        message: `${host} is one of our nodes. Enter the address of your own router.`,
        field: "remote_ip",
      });
    case specialHosts.conflict:
      throw new HttpError(409, {
        message: "This peering was changed meanwhile. Nothing of yours was deployed.",
      });
    case specialHosts.broken:
      throw new HttpError(500, { message: "The server made a mistake. Nothing was changed." });
  }
}

export function outcomeFor(host: string, node: string): MockOutcome {
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
