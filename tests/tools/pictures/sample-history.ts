/**
 * Histories of peerings for pictures: the demo's peerings are too young to have one. They end with the state, the latency
 * and the routes that the same picture shows for now.
 */
import type { PeerStatus } from "#contract/entities.ts";
import { halfHourMs, type PeeringHistories, type PeeringHistory, shownHalfHours } from "#contract/history.ts";
import { countRoutes } from "#domain/findings/route-faults.ts";
import { peeringHealth } from "#domain/findings/peering-health.ts";
import { encodePlot, encodeShares } from "#domain/plot.ts";
import { firstHalfHour } from "#server/features/observations/retention.ts";
import { currentOutage, earlierOutage, isDownAt, type NodeOutages, type Outage } from "./sample-outages.ts";

/** A peering as it is now. */
export interface SampledPeering {
  readonly node: string;
  readonly state: "OK" | "Issues" | "tunnel down" | "session down";
  /** The shortest round trip while the tunnel is up. */
  readonly latencyMs: number;
  /** Routes while the session is up. */
  readonly accepted: number;
  readonly refused: number;
}

/** @param whileUp the latency and the routes that a peering has before it goes down */
export function toSampledPeering(status: PeerStatus, whileUp: Omit<PeerStatus, "node">): SampledPeering {
  const { node, known, wg_status, bgp_status } = status;
  const health = known ? peeringHealth(status) : "OK";
  const { sessions } = known && health !== "Down" ? status : whileUp;
  const { accepted, refused } = countRoutes(sessions);
  const down = wg_status.state === "Up" && bgp_status === "Down" ? "session down" : "tunnel down";
  const up = health === "Issues" ? "Issues" : "OK";
  return {
    node,
    state: health === "Down" ? down : up,
    latencyMs: Number.parseFloat(status.latency || whileUp.latency),
    accepted,
    refused,
  };
}

/** A tunnel that is down takes its session with it. */
export function peeringOutages(
  { state }: SampledPeering,
  now: number,
): { readonly tunnel: readonly Outage[]; readonly session: readonly Outage[] } {
  const earlier = state === "OK" ? [] : [earlierOutage(now)];
  const session = state.endsWith("down") ? [...earlier, currentOutage(now)] : earlier;
  return { tunnel: state === "session down" ? earlier : session, session };
}

/** @param outages of the nodes, which observe nothing while they are down */
export function sampleHistories(
  peerings: readonly SampledPeering[],
  outages: NodeOutages,
  now: number,
): PeeringHistories {
  return {
    from: firstHalfHour(now),
    peerings: peerings.map((peering, index) =>
      sampleHistory(peering, index + 1, outages.get(peering.node) ?? [], now),
    ),
  };
}

function sampleHistory(
  peering: SampledPeering,
  seed: number,
  unobserved: readonly Outage[],
  now: number,
): PeeringHistory {
  const { node, latencyMs, accepted, refused } = peering;
  const { tunnel, session } = peeringOutages(peering, now);
  const series = (valueAt: (index: number, from: number) => number | null) =>
    Array.from({ length: shownHalfHours }, (_, index) => {
      const from = firstHalfHour(now) + index * halfHourMs;
      return isDownAt(unobserved, from) ? null : valueAt(index, from);
    });
  const outside = (down: readonly Outage[], valueAt: (index: number) => number) =>
    encodePlot(series((index, from) => (isDownAt(down, from) ? null : valueAt(index))));
  return {
    node,
    up: encodeShares(series((_, from) => (isDownAt(session, from) ? 0 : 1))),
    latency: outside(tunnel, (index) => {
      const jitter = index === shownHalfHours - 1 ? 0 : noise(index, seed);
      return Math.round(latencyMs * (10 + 0.7 * jitter)) / 10;
    }),
    accepted: outside(session, () => accepted),
    refused: outside(session, () => refused),
    traffic: outside(session, (index) => Math.round(4e7 * (1 + noise(index, seed + 9)))),
  };
}

/** Repeats itself after many values, and is the same in every run. */
const noise = (index: number, seed: number) =>
  Math.abs(Math.sin(index * 12.9898 + seed * 78.233) * 43758.5453) % 1;
