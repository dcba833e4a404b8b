import type { ApplyOutcome } from "../../contract/agent.ts";
import { type EndpointLookup, resolveEndpoint } from "../resolve/resolve-endpoint.ts";
import { answerFromHeld, desiredChange, refusal, type Wanted } from "./change.ts";
import { desiredFault, type PeeringRules } from "./desired-fault.ts";
import type { Reconciler } from "./reconciler.ts";

export interface ApplyContext {
  readonly reconciler: Reconciler;
  readonly lookup: EndpointLookup;
  readonly rules: PeeringRules;
  /** The node's WireGuard public key. */
  readonly nodeKey: string;
}

/**
 * Checks what is wanted, resolves its endpoint and hands it to the reconciler.
 *
 * All that can take long for one participant (a name server that does not answer) happens here, before the
 * change waits for its turn, so that it holds up nobody else's.
 */
export async function applyWanted(wanted: Wanted, context: ApplyContext): Promise<ApplyOutcome> {
  const held = context.reconciler.held().get(wanted.asn);
  const known = answerFromHeld(wanted, held);
  if (known && context.reconciler.unsettled() === null) return known;
  const fault = desiredFault(wanted, context.rules, context.nodeKey);
  if (fault !== null) return refusal(fault);
  if (wanted.desired === null) return context.reconciler.apply(desiredChange(wanted, null));
  const { endpointHost } = wanted.desired;
  const sameHost = held?.routed?.peering.endpointHost === endpointHost;
  const current = sameHost ? (held?.routed?.endpointAddress ?? null) : null;
  const endpoint = await resolveEndpoint(endpointHost, current, context.lookup);
  if (!endpoint.ok) return refusal(`remote_ip: ${endpoint.reason}`);
  return context.reconciler.apply(desiredChange(wanted, endpoint.address));
}
