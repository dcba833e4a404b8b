/**
 * Measures round trips to the endpoints of participants, for the choice of a node without a peering.
 *
 * Invariants:
 * - Only an address that an endpoint may have gets a probe, whatever a name resolves to.
 * - An address gets probes at most once in `maxAgeMs`, however many callers and names there are.
 * - At most `concurrency` measurements run at once: starting a process delays everything else on the node.
 */
import { HttpError } from "../../contract/http-error.ts";
import { createFairQueue } from "../../domain/concurrency/fair-queue.ts";
import { createSingleFlight } from "../../domain/concurrency/single-flight.ts";
import { isEndpointHost } from "../../domain/peering/peering-rules.ts";
import { parseAddress } from "../../domain/prefix.ts";
import type { Router } from "../drivers/router.ts";
import { type EndpointLookup, resolveEndpoint } from "../resolve/resolve-endpoint.ts";

const maxAgeMs = 5 * 60_000;
const limits = { concurrency: 4, maxWaiting: 32 } as const;

/**
 * Returns a function that measures the round trip to a host in milliseconds: null without a reply, and for a host that no
 * endpoint may have. It rejects with `HttpError` 503 if too many others wait.
 */
export function createRoundTripMeter(
  router: Pick<Router, "roundTrip">,
  lookup: EndpointLookup,
): (host: string) => Promise<number | null> {
  const enqueue = createFairQueue({
    ...limits,
    createError: () => new HttpError(503, { message: "The node measures too many other hosts." }),
  });
  const sharing = { maxAgeMs, now: lookup.clock.now, ageFrom: "end", sharesFailures: false } as const;
  const byAddress = createSingleFlight(router.roundTrip, sharing);
  const byHost = createSingleFlight((host) => enqueue(host, () => measure(host)), sharing);

  async function measure(host: string): Promise<number | null> {
    if (!isEndpointHost(host, lookup.rules)) return null;
    const first = await resolveEndpoint(host, null, lookup);
    if (!first.ok) return null;
    const latencyMs = await byAddress.get(first.address);
    if (latencyMs !== null || parseAddress(host)) return latencyMs;
    // A tunnel without a handshake would use the name's other address family, too.
    const other = await resolveEndpoint(host, first, lookup, true);
    return other.ok && other.address !== first.address ? byAddress.get(other.address) : null;
  }

  return (host) => byHost.get(host);
}
