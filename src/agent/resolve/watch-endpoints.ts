import { parseAddress } from "../../domain/prefix.ts";
import type { Clock } from "../clock.ts";
import type { PeeringObservation } from "../drivers/router.ts";
import type { Log } from "../log.ts";
import { endpointChange } from "../reconcile/change.ts";
import type { HeldPeering } from "../reconcile/held-peering.ts";
import type { Reconciler } from "../reconcile/reconciler.ts";
import { type EndpointLookup, resolveEndpoint } from "./resolve-endpoint.ts";

export interface WatchOptions {
  readonly reconciler: Reconciler;
  readonly observe: () => Promise<readonly PeeringObservation[]>;
  readonly lookup: EndpointLookup;
  readonly clock: Clock;
  readonly log: Log;
}

const everyMs = 30_000;
/** WireGuard renews a handshake after 120 s and gives up on an attempt after 15 more: older means trouble. */
const staleSeconds = 135;

/**
 * Every half minute resolves again the names of participants whose handshake is stale, since a dynamic address
 * may have moved. Ends when disposed.
 */
export function watchEndpoints(options: WatchOptions): AsyncDisposable {
  const end = new AbortController();
  const loop = (async () => {
    while (!end.signal.aborted) {
      await options.clock.sleep(everyMs, end.signal);
      if (end.signal.aborted) return;
      await lookAgain(options).catch((error: unknown) => {
        options.log.warn({ reason: String(error) }, "endpoints could not be looked at");
      });
    }
  })();
  return {
    [Symbol.asyncDispose]: () => {
      end.abort();
      return loop;
    },
  };
}

async function lookAgain(options: WatchOptions): Promise<void> {
  const held = options.reconciler.held();
  const observed = await options.observe();
  const stale = observed
    .filter(({ handshakeAgeSeconds: age }) => age === null || age > staleSeconds)
    .flatMap(({ asn }) => held.get(asn) ?? []);
  await Promise.all(stale.map((peering) => moveEndpoint(peering, options)));
}

async function moveEndpoint({ asn, generation, routed }: HeldPeering, options: WatchOptions): Promise<void> {
  if (!routed || parseAddress(routed.peering.endpointHost)) return;
  const { endpointHost: host } = routed.peering;
  const found = await resolveEndpoint(host, routed.endpointAddress, options.lookup);
  if (!found.ok) {
    options.log.warn({ asn, reason: found.reason }, "the endpoint stays: its name is of no use now");
    return;
  }
  if (found.address === routed.endpointAddress) return;
  const outcome = await options.reconciler.apply(endpointChange(asn, generation, found.address));
  options.log.info({ asn, host, address: found.address, ...outcome }, "the endpoint moved");
}
