import type { ApplyOutcome } from "../../contract/agent.ts";
import { isAsn } from "../../domain/asn.ts";
import { checkPeering } from "../../domain/peering/check-peering.ts";
import { type EndpointLookup, resolveEndpoint, type EndpointRules } from "../resolve/resolve-endpoint.ts";
import { outcomeFromApplied, desiredChange, refusal, type DesiredPeering } from "./change.ts";
import type { Reconciler } from "./reconciler.ts";

export interface ApplyContext {
  readonly reconciler: Reconciler;
  readonly lookup: EndpointLookup;
  readonly rules: PeeringRules;
  /** The node's WireGuard public key. */
  readonly nodeKey: string;
}

/**
 * Validates the desired state, resolves its endpoint and passes it to the reconciler.
 *
 * Everything that can be slow for one participant (a name server that does not respond) happens here, before
 * the change waits for its turn, so that it does not delay other participants.
 */
export async function applyDesired(request: DesiredPeering, context: ApplyContext): Promise<ApplyOutcome> {
  const applied = context.reconciler.applied().get(request.asn);
  const outcome = outcomeFromApplied(request, applied);
  if (outcome && context.reconciler.outOfSyncReason() === null) return outcome;
  const error = validateDesired(request, context.rules, context.nodeKey);
  if (error !== null) return refusal(error, applied);
  if (request.desired === null) return context.reconciler.apply(desiredChange(request, null));
  const { endpointHost } = request.desired;
  const isSameHost = applied?.routed?.peering.endpointHost === endpointHost;
  const current = isSameHost ? (applied?.routed?.endpointAddress ?? null) : null;
  const endpoint = await resolveEndpoint(endpointHost, current, context.lookup);
  if (!endpoint.ok) return refusal(endpoint.reason, context.reconciler.applied().get(request.asn));
  return context.reconciler.apply(desiredChange(request, endpoint.address));
}

export interface PeeringRules extends EndpointRules {
  /** No participant can have it. */
  readonly providerAsn: string;
}

/**
 * The agent's own validation of the server's request, because the agent renders its values into
 * configuration. Returns a sentence that starts with the invalid field, or null.
 */
export function validateDesired(
  request: DesiredPeering,
  rules: PeeringRules,
  nodeKey: string,
): string | null {
  const { asn, generation, desired } = request;
  if (!isAsn(asn)) return "asn: Not an AS number.";
  if (asn === rules.providerAsn) return "asn: This is the provider's own AS number.";
  if (!Number.isSafeInteger(generation) || generation < 0) return "generation: Not a whole number.";
  if (desired === null) return null;
  if (desired.asn !== asn) return `asn: The peering is for AS${desired.asn}, but the change is for AS${asn}.`;
  const error = checkPeering(desired, { ...rules, nodeKey });
  return error && `${error.field}: ${error.message}`;
}
