import type { ApplyOutcome } from "../../contract/agent.ts";
import type { FieldError } from "../../contract/http-error.ts";
import { isAsn } from "../../domain/asn.ts";
import { checkPeering } from "../../domain/peering/check-peering.ts";
import { parseKey } from "../../domain/peering/wireguard-key.ts";
import type { Router } from "../drivers/router.ts";
import type { Log } from "../log.ts";
import { choiceOf } from "../resolve/choose-endpoint.ts";
import { type EndpointLookup, resolveEndpoint, type EndpointRules } from "../resolve/resolve-endpoint.ts";
import { outcomeFromApplied, desiredChange, refusal, type DesiredPeering } from "./change.ts";
import type { Reconciler } from "./reconciler.ts";

export interface ApplyContext {
  readonly reconciler: Reconciler;
  readonly lookup: EndpointLookup;
  readonly rules: PeeringRules;
  /** The node's WireGuard public keys. */
  readonly nodeKeys: Router["nodeKeys"];
  readonly log: Pick<Log, "warn">;
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
  if (outcome && context.reconciler.outOfSyncFindings().length === 0) return outcome;
  const nodeKeys = context.nodeKeys();
  const error = validateDesired(request, context.rules, nodeKeys);
  if (error !== null) {
    const { asn, generation } = request;
    context.log.warn({ asn, generation, ...error }, "a value of the change is not valid");
    return refusal({ code: "value-rejected", facts: { field: error.field } });
  }
  const { desired } = request;
  if (desired === null) return context.reconciler.apply(desiredChange(request, null));
  const { endpointHost, nodeKey } = desired;
  if (nodeKey !== undefined && !nodeKeys.includes(nodeKey))
    return refusal({ code: "node-key-missing", facts: { publicKey: nodeKey } });
  if (endpointHost === null) {
    return context.reconciler.apply(desiredChange(request, { peering: desired, endpointAddress: null }));
  }
  const isSameHost = applied?.routed?.peering.endpointHost === endpointHost;
  const previous = isSameHost && applied?.routed ? choiceOf(applied.routed) : null;
  const endpoint = await resolveEndpoint(endpointHost, previous, context.lookup);
  if (!endpoint.ok) {
    const { finding, refusedAddress: address } = endpoint;
    context.log.warn({ asn: request.asn, ...finding, address }, "the endpoint of the change cannot be used");
    return refusal(finding);
  }
  return context.reconciler.apply(
    desiredChange(request, {
      peering: desired,
      endpointAddress: endpoint.address,
      silentFamily: endpoint.silentFamily,
    }),
  );
}

export interface PeeringRules extends EndpointRules {
  /** A peering with this AS number is refused. */
  readonly providerAsn: string;
}

/**
 * The agent's own validation of the server's request, because the agent renders its values into
 * configuration. Returns the first invalid field with what is wrong, for the agent's log, or null.
 */
export function validateDesired(
  request: DesiredPeering,
  rules: PeeringRules,
  nodeKeys: readonly string[],
): FieldError | null {
  const { asn, generation, desired } = request;
  if (!isAsn(asn)) return { field: "asn", message: "Not an AS number." };
  if (asn === rules.providerAsn) return { field: "asn", message: "This is the provider's own AS number." };
  if (!Number.isSafeInteger(generation) || generation < 0)
    return { field: "generation", message: "Not a whole number." };
  if (desired === null) return null;
  if (desired.asn !== asn) {
    const message = `The peering is for AS${desired.asn}, but the change is for AS${asn}.`;
    return { field: "asn", message };
  }
  if (desired.nodeKey !== undefined && parseKey(desired.nodeKey) === null)
    return { field: "node_key", message: "Not a WireGuard public key: 32 bytes in base64." };
  return checkPeering(desired, { ...rules, nodeKeys });
}
