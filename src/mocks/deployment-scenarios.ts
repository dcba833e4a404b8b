/** Scenarios of a deployment, chosen by the host name of its endpoint. */
import { hostOf } from "./provider.ts";
import { type FieldError, HttpError } from "../contract/http-error.ts";
import { describeToParticipant } from "../domain/findings/findings.ts";
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

/** The errors of a host whose submit gets 422. */
export function findUpdateErrors(host: string): FieldError[] {
  if (host !== specialHosts.refused) return [];
  const message = describeToParticipant({ code: "endpoint-is-node", facts: { host } });
  return [{ field: "remote_ip", message }];
}

/** Throws the `HttpError` of a host whose submit fails. */
export function throwIfSubmitFails(host: string): void {
  const [invalid] = findUpdateErrors(host);
  if (invalid) throw new HttpError(422, { ...invalid, errors: [invalid] });
  switch (host) {
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
        reason: `${hostOf(node)} could not be reached for two minutes. The previous configuration was restored.`,
      };
    default:
      return { status: "success", reason: "" };
  }
}

export function deploySteps(node: string, asn: string): string[] {
  return [
    `Handed the peering to ${hostOf(node)}.`,
    `Rendered the configuration of interface dn42_${asn}.`,
    "Applied the WireGuard configuration.",
    "BIRD accepted the new configuration.",
  ];
}

export function deletionSteps(node: string, asn: string): string[] {
  return [`Handed the deletion to ${hostOf(node)}.`, `Removed the BGP sessions and interface dn42_${asn}.`];
}
