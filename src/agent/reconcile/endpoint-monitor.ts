/**
 * Resolves hostnames of endpoints again while there is no handshake, because a dynamic address may have changed, and because
 * one of the name's address families may not work.
 *
 * Invariants:
 * - A tunnel with a fresh handshake keeps its endpoint.
 * - An endpoint has at least 30 s for a handshake before the name is resolved again, and so between two changes.
 */
import type { ApplyOutcome } from "../../contract/agent.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import { familyOf } from "../../domain/peering/bgp-sessions.ts";
import { parseAddress } from "../../domain/prefix.ts";
import { type Clock, runEvery } from "../clock.ts";
import { type PeeringObservation, staleHandshakeSeconds } from "../drivers/router.ts";
import type { EventLog } from "../events/event-log.ts";
import type { Log } from "../log.ts";
import { choiceOf, type EndpointChoice } from "../resolve/choose-endpoint.ts";
import { type EndpointLookup, resolveEndpoint } from "../resolve/resolve-endpoint.ts";
import type { AppliedPeering } from "./applied-peering.ts";
import { endpointChange, unchanged } from "./change.ts";
import type { Reconciler } from "./reconciler.ts";

export interface EndpointMonitorOptions {
  readonly reconciler: Pick<Reconciler, "applied" | "apply">;
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

/** A peering whose endpoint is a hostname. */
interface NamedEndpoint {
  readonly asn: string;
  readonly generation: number;
  readonly host: string;
  readonly choice: EndpointChoice;
}

/** The state of an endpoint since it was set. */
interface Watched {
  readonly key: string;
  /** When it is checked next. */
  dueAt: number;
  finding: Finding | null;
}

/** Reads no router unless an endpoint is due. */
const tickMs = 5_000;
const patienceMs = 30_000;

/** Ends when disposed. */
export function monitorEndpoints(options: EndpointMonitorOptions): EndpointMonitor {
  const { reconciler, observe, clock, log } = options;
  const watched = new Map<string, Watched>();
  /** The ASes whose address family was changed since their last handshake: the next change back is no news. */
  const alternating = new Set<string>();

  /** Notices which endpoints were set, and returns those that are due. */
  function findDue(): readonly NamedEndpoint[] {
    const named = Array.from(reconciler.applied().values()).flatMap(toNamed);
    const asns = new Set(named.map(({ asn }) => asn));
    for (const asn of watched.keys()) if (!asns.has(asn)) watched.delete(asn);
    return named.filter(({ asn, generation, choice }) => {
      const key = `${generation} ${choice.address}`;
      const before = watched.get(asn);
      if (before?.key === key) return before.dueAt <= clock.now();
      watched.set(asn, { key, dueAt: clock.now() + patienceMs, finding: before?.finding ?? null });
      return false;
    });
  }

  async function readObservations() {
    return new Map((await observe()).map((one) => [one.asn, one]));
  }

  async function check(): Promise<void> {
    const due = findDue();
    if (due.length === 0) return;
    const observed = await readObservations();
    for (const { asn } of due) {
      const state = watched.get(asn);
      if (state) state.dueAt = clock.now() + patienceMs;
      if (state && !isStale(observed.get(asn))) state.finding = null;
      if (!isStale(observed.get(asn))) alternating.delete(asn);
    }
    const stale = due.filter(({ asn }) => isStale(observed.get(asn)));
    const found = await Promise.all(
      stale.map(async (endpoint) => ({
        endpoint,
        // A tunnel that the node cannot set up says nothing about the endpoint.
        next: await resolve(endpoint, observed.get(endpoint.asn)?.leftOut === undefined),
      })),
    );
    const changes = found.flatMap(({ endpoint, next }) => (next === null ? [] : [{ endpoint, next }]));
    if (changes.length === 0) return;
    // A handshake may have come while the names were resolved.
    const current = await readObservations();
    await Promise.all(
      changes
        .filter(({ endpoint }) => isStale(current.get(endpoint.asn)))
        .map(({ endpoint, next }) => change(endpoint, next)),
    );
  }

  /** Returns what the endpoint is changed to, or null. */
  async function resolve(
    { asn, host, choice }: NamedEndpoint,
    canSwitch: boolean,
  ): Promise<EndpointChoice | null> {
    const found = await resolveEndpoint(host, choice, options.lookup, canSwitch);
    const state = watched.get(asn);
    if (state) state.finding = found.ok ? null : found.finding;
    if (!found.ok) {
      const fields = { asn, ...found.finding, address: found.refusedAddress };
      log.warn(fields, "the endpoint is unchanged: its hostname cannot be used");
      return null;
    }
    const isSame = found.address === choice.address && found.silentFamily === choice.silentFamily;
    return isSame ? null : found;
  }

  async function change({ asn, generation, host, choice }: NamedEndpoint, next: EndpointChoice) {
    const { address, silentFamily } = next;
    const isAlternative = isOtherFamily(choice, next);
    const isNews = !isAlternative || !alternating.has(asn);
    if (isAlternative) alternating.add(asn);
    try {
      const outcome = await reconciler.apply(endpointChange(asn, generation, { address, silentFamily }));
      if (isNews)
        log.info(
          { asn, host, address, ...outcome },
          isAlternative
            ? "no handshake: trying the other address family of the endpoint"
            : "the hostname of the endpoint has a new address",
        );
      if (!isAlternative && address !== choice.address) recordChange(asn, address, outcome);
    } catch (error) {
      log.warn({ asn, reason: String(error) }, "could not change the endpoint");
    }
  }

  function recordChange(asn: string, address: string, outcome: ApplyOutcome): void {
    // Without a change, a deployment came first.
    if (outcome === unchanged) return;
    const kind = outcome.outcome === "applied" ? "endpoint-changed" : "endpoint-change-failed";
    options.events.record([{ kind, asn, address }]);
  }

  findDue();
  const loop = runEvery(clock, tickMs, async () => {
    try {
      await check();
    } catch (error) {
      log.warn({ reason: String(error) }, "could not check the endpoints");
    }
  });
  return {
    findings: () =>
      new Map(
        Array.from(watched).flatMap(([asn, { finding }]) => (finding === null ? [] : [[asn, finding]])),
      ),
    [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose](),
  };
}

/** Empty for a literal address, which never changes, and without an endpoint. */
function toNamed({ asn, generation, routed }: AppliedPeering): readonly NamedEndpoint[] {
  const host = routed?.peering.endpointHost ?? null;
  const choice = routed && choiceOf(routed);
  return host === null || !choice || parseAddress(host) ? [] : [{ asn, generation, host, choice }];
}

/** Whether the other address family is tried, or tried no longer, because there was no handshake. */
function isOtherFamily(from: EndpointChoice, to: EndpointChoice): boolean {
  const family = familyOf(to.address);
  if (family === familyOf(from.address)) return false;
  return to.silentFamily !== undefined || from.silentFamily === family;
}

/** False for a peering that the router does not know. */
function isStale(observed: PeeringObservation | undefined): boolean {
  if (!observed) return false;
  const { handshakeAgeSeconds: age } = observed;
  return age === null || age > staleHandshakeSeconds;
}
