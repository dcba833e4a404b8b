/** Measures sessions of participants whose side comes up after the deployment. */
import { setTimeout as pause } from "node:timers/promises";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { renderWireguard } from "#domain/peering/participant-config.ts";
import { bringUpTunnel, fetchSides, leaveNode } from "#lab/join.ts";
import { createSpeaker } from "#lab/speaker.ts";
import type { Bench, BenchParticipant } from "./bench.ts";
import { compareWithTarget, formatTable, median, print, worst } from "./figures.ts";
import { deploy, endPeering } from "./peering-run.ts";
import { row } from "./time-peerings.ts";
import { now, watchNode, type WatchedNode } from "./watched-node.ts";

const orders = ["tunnel first", "BGP first"] as const;
/** The second part comes up at a random phase of the node's retries. */
const leadMs = 2000;
const phaseMs = 1500;
const targets = { medianMs: 100, worstMs: 300 } as const;

/** No participant has a peering. */
export async function timeLater({ lab, pair, participants }: Bench, count: number): Promise<void> {
  const watched = watchNode(pair.host);
  const series: Array<{ readonly title: string; readonly ms: readonly number[] }> = [];
  await leaveNode(pair.participant.plan, pair.participant.host, pair.plan.name);
  for (const participant of participants) {
    const ms: Record<(typeof orders)[number], number[]> = { "tunnel first": [], "BGP first": [] };
    for (let run = 0; run < count; run += 1)
      for (const order of orders) ms[order].push(await joinLater(lab.url, participant, order, watched));
    for (const order of orders)
      series.push({ title: `${participant.plan.speaker}, ${order}`, ms: ms[order] });
  }
  print(`
The participant's side comes up later, ${count} runs each; milliseconds until Established, from the first handshake, or from the
moment when the BGP daemon knows the node if that is later.

${formatTable([["", "median", "worst"], ...series.map(({ title, ms }) => row(title, ms))])}
${series
  .map(({ title, ms }) =>
    [
      compareWithTarget(`${title}: median`, median(ms), targets.medianMs, " ms"),
      compareWithTarget(`${title}: worst`, worst(ms), targets.worstMs, " ms"),
    ].join(""),
  )
  .join("")}`);
}

async function joinLater(
  url: string,
  { plan, host, call, update }: BenchParticipant,
  order: (typeof orders)[number],
  watched: WatchedNode,
): Promise<number> {
  const name = interfaceName(plan.asn);
  await deploy(call, plan.asn, update);
  const sides = await fetchSides(url, plan, update.node);
  const parts = [
    () => bringUpTunnel(host, update.node, renderWireguard(sides)),
    () => createSpeaker(host, plan).addSessions(sides),
  ];
  const [first, second] = order === "tunnel first" ? parts : parts.toReversed();
  await first?.();
  await pause(leadMs + Math.random() * phaseMs);
  await second?.();
  const isUpAt = order === "tunnel first" ? now() : await watched.handshake(name);
  await watched.untilSession(name, "Established");
  const ms = Math.max(0, now() - isUpAt);
  await leaveNode(plan, host, update.node);
  await endPeering(call, watched, plan.asn, update.node);
  return ms;
}
