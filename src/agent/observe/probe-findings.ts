/**
 * What probes say about the way of packets. They say nothing before there are some, one lost probe is no fault, and what they
 * find never changes a state: a router may drop pings on purpose.
 */
import type { Finding } from "../../domain/findings/findings.ts";
import { type Family, familyOf } from "../../domain/peering/bgp-sessions.ts";
import type { PeeringProbes, ProbeResult } from "../drivers/probe-results.ts";
import { isSilentBeyond, isTunnelSilent } from "../drivers/probes/silence.ts";
import type { PeeringObservation } from "../drivers/router.ts";

type Counts = Pick<ProbeResult, "sent" | "lost">;

/** One lost probe says nothing about a line. */
const minLost = 2;
/** As many participants at least, before the cause is sought on the node. */
const minUnanswered = 3;

/** Round trip in milliseconds, of the first family that has one; null while none is known. */
export function latencyOf(probes: PeeringProbes | undefined): number | null {
  return probes?.tunnel.find(({ latencyMs }) => latencyMs !== null)?.latencyMs ?? null;
}

/** Share of lost probes between the tunnel's ends; null without probes. */
export function lossPercentOf(probes: PeeringProbes | undefined): number | null {
  const { sent, lost } = sumOf(probes?.tunnel ?? []);
  return sent === 0 ? null : (100 * lost) / sent;
}

/**
 * What the probes of a peering whose tunnel is up have found.
 *
 * @param established the address families whose routes are exchanged: without a route back, no reply comes from beyond the tunnel
 * @param unanswered the node's addresses to which no participant replies, which is no fault of this one
 */
export function findProbeFindings(
  probes: PeeringProbes | undefined,
  established: ReadonlySet<Family>,
  unanswered: ReadonlySet<string>,
): readonly Finding[] {
  if (!probes) return [];
  const silent = probes.tunnel.filter(isTunnelSilent);
  const heard = probes.tunnel.filter((result) => !isTunnelSilent(result));
  const { sent, lost } = sumOf(heard);
  const ofLoss: readonly Finding[] =
    lost < minLost
      ? []
      : [{ code: "packet-loss", facts: { percent: Math.max(1, Math.round((100 * lost) / sent)) } }];
  return [
    ...silent.map(({ target }): Finding => ({ code: "no-ping-reply", facts: { address: target } })),
    ...ofLoss,
    ...findBlockedWay(probes, established, unanswered),
    ...findSilentNetwork(probes, established, unanswered),
  ];
}

/** What the operator reads about `unansweredSources`. */
export function findUnanswered(observed: readonly PeeringObservation[]): readonly Finding[] {
  const sources = unansweredSources(observed);
  if (sources.size === 0) return [];
  const peerings = observed.filter(({ probes }) =>
    probes?.way.some(({ source }) => sources.has(source)),
  ).length;
  return [{ code: "node-address-unanswered", facts: { sources: Array.from(sources), peerings } }];
}

/** The node's addresses to which no participant replies whose tunnel does. The cause is likely on the node. */
export function unansweredSources(observed: readonly PeeringObservation[]): ReadonlySet<string> {
  const results = observed.flatMap(({ probes }) =>
    probes ? probes.way.map((result) => ({ probes, result })) : [],
  );
  const bySource = Map.groupBy(results, ({ result }) => result.source);
  const sources = Array.from(bySource).filter(([, ways]) => {
    const isAnswered = ways.some(({ result }) => result.sent > result.lost);
    return (
      !isAnswered && ways.filter(({ probes, result }) => isSilent(result, probes)).length >= minUnanswered
    );
  });
  return new Set(sources.map(([source]) => source));
}

function findBlockedWay(
  probes: PeeringProbes,
  established: ReadonlySet<Family>,
  unanswered: ReadonlySet<string>,
): readonly Finding[] {
  const blocked = probes.way.filter(
    (result) => established.has(result.family) && !unanswered.has(result.source) && isSilent(result, probes),
  );
  if (blocked.length === 0) return [];
  const facts = {
    families: blocked.map(({ family }) => family),
    sources: blocked.map(({ source }) => source),
    addresses: blocked.map(({ target }) => target),
  };
  return [{ code: "way-blocked", facts }];
}

function findSilentNetwork(
  probes: PeeringProbes,
  established: ReadonlySet<Family>,
  unanswered: ReadonlySet<string>,
): readonly Finding[] {
  const { network, way } = probes;
  if (network === null) return [];
  const { target, result } = network;
  // Without a session, the node has no route, and the participant reads that the session is down.
  if (result === null)
    return established.has(familyOf(target))
      ? [{ code: "network-not-routed", facts: { address: target } }]
      : [];
  const { family, source } = result;
  const isKnown = way.some((each) => each.family === family && isSilent(each, probes));
  if (isKnown || unanswered.has(source) || !established.has(family) || !isSilent(result, probes)) return [];
  return [{ code: "network-silent", facts: { address: target, source } }];
}

/** Whether an address does not reply, although the end of the tunnel of its address family does. */
function isSilent(result: ProbeResult, { tunnel }: PeeringProbes): boolean {
  return isSilentBeyond(
    result,
    tunnel.find(({ family }) => family === result.family),
  );
}

function sumOf(results: readonly Counts[]): Counts {
  return {
    sent: results.reduce((sum, { sent }) => sum + sent, 0),
    lost: results.reduce((sum, { lost }) => sum + lost, 0),
  };
}
