import type { Finding } from "../../domain/findings/findings.ts";
import { parseAddress } from "../../domain/prefix.ts";
import { type Clock, runEvery } from "../clock.ts";
import { type PeeringObservation, staleHandshakeSeconds } from "../drivers/router.ts";
import type { EventLog } from "../events/event-log.ts";
import type { Log } from "../log.ts";
import { endpointChange, unchanged } from "./change.ts";
import type { AppliedPeering } from "./applied-peering.ts";
import type { Reconciler } from "./reconciler.ts";
import { type EndpointLookup, resolveEndpoint } from "../resolve/resolve-endpoint.ts";

export interface EndpointMonitorOptions {
  readonly reconciler: Reconciler;
  readonly observe: () => Promise<readonly PeeringObservation[]>;
  readonly lookup: EndpointLookup;
  readonly events: Pick<EventLog, "record">;
  readonly clock: Clock;
  readonly log: Log;
}

/** By AS. */
type EndpointFindings = ReadonlyMap<string, Finding>;

export interface EndpointMonitor extends AsyncDisposable {
  /** Why hostnames of participants with a stale handshake could not be resolved at the last attempt, by AS. */
  findings(): EndpointFindings;
}

const intervalMs = 30_000;
/**
 * Resolves the hostnames of participants with a stale handshake again every 30 s, because a dynamic address
 * may have changed. Ends when disposed.
 */
export function monitorEndpoints(options: EndpointMonitorOptions): EndpointMonitor {
  let findings: EndpointFindings = new Map();
  const loop = runEvery(options.clock, intervalMs, async () => {
    try {
      findings = await resolveStale(options);
    } catch (error) {
      options.log.warn({ reason: String(error) }, "could not check the endpoints");
    }
  });
  return { findings: () => findings, [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose]() };
}

async function resolveStale(options: EndpointMonitorOptions): Promise<EndpointFindings> {
  const applied = options.reconciler.applied();
  const observed = await options.observe();
  const stale = observed
    .filter(({ handshakeAgeSeconds: age }) => age === null || age > staleHandshakeSeconds)
    .flatMap(({ asn }) => applied.get(asn) ?? []);
  const found = await Promise.all(
    stale.map(async (peering) => [peering.asn, await updateEndpoint(peering, options)] as const),
  );
  return new Map(found.flatMap(([asn, finding]) => (finding === null ? [] : [[asn, finding]])));
}

/** Returns why the hostname cannot be used, or null. */
async function updateEndpoint(
  { asn, generation, routed }: AppliedPeering,
  options: EndpointMonitorOptions,
): Promise<Finding | null> {
  const host = routed?.peering.endpointHost ?? null;
  if (!routed || host === null || parseAddress(host)) return null;
  const found = await resolveEndpoint(host, routed.endpointAddress, options.lookup);
  if (!found.ok) {
    const { finding, refusedAddress } = found;
    const fields = { asn, ...finding, address: refusedAddress };
    options.log.warn(fields, "the endpoint is unchanged: its hostname cannot be used");
    return finding;
  }
  if (found.address === routed.endpointAddress) return null;
  const outcome = await options.reconciler.apply(endpointChange(asn, generation, found.address));
  options.log.info(
    { asn, host, address: found.address, ...outcome },
    "the hostname of the endpoint has a new address",
  );
  // Without a change, a deployment came first.
  if (outcome === unchanged) return null;
  const kind = outcome.outcome === "applied" ? "endpoint-changed" : "endpoint-change-failed";
  options.events.record([{ kind, asn, address: found.address }]);
  return null;
}
