/** Judges what the agent says while a fault is planted. */
import type { NodeHealth, NodeLink, ObservedPeering } from "#contract/agent.ts";
import type { CodedFacts } from "#contract/agent/findings.ts";
import type { Fault } from "./faults.ts";
import { asnOf, numbers, type ParticipantNumber } from "./plan.ts";

/** What the agent says at a moment. */
export interface Sample {
  readonly health: Pick<NodeHealth, "status" | "findings">;
  readonly peerings: readonly ObservedPeering[];
  readonly links: readonly NodeLink[];
}

export interface Verdict {
  /** What names the fault, and where: "node: forwarding-off; AS4242420002: node-not-forwarding". Null if nothing does. */
  readonly named: string | null;
  /** What must not be said: findings about others, findings on the wrong side, changed states. */
  readonly wrong: readonly string[];
}

/** What a participant reads of a fault that is not on its router, but the node's. */
const publicCode = "node-not-forwarding";
/** They ask the participant to change something on its router. */
const blamingCodes: ReadonlySet<string> = new Set(["way-blocked", "network-silent"]);
const nothing: readonly string[] = [];

export function judge(fault: Fault, before: Sample, now: Sample): Verdict {
  const ofNode = newCodes(before.health.findings, now.health.findings);
  const ofPeerings = new Map(
    numbers.map((number) => [number, newCodes(findingsOf(before, number), findingsOf(now, number))]),
  );
  const codesOf = (number: ParticipantNumber) => ofPeerings.get(number) ?? nothing;
  return {
    named: nameOf(fault, ofNode, codesOf),
    wrong: [...findWrongCodes(fault, ofNode, codesOf), ...findChangedStates(fault, before, now)],
  };
}

type CodesOf = (number: ParticipantNumber) => readonly string[];

function nameOf(fault: Fault, ofNode: readonly string[], codesOf: CodesOf): string | null {
  const { side, concerned } = fault;
  const expected: ReadonlySet<string> = new Set(fault.codes);
  const atNode = ofNode.filter((code) => expected.has(code));
  const wanted = side === "ours" ? new Set([publicCode]) : expected;
  const atPeerings = concerned.map((number) => ({
    number,
    codes: codesOf(number).filter((code) => wanted.has(code)),
  }));
  const isAtAll = atPeerings.every(({ codes }) => codes.length > 0);
  if (side === "ours" ? atNode.length === 0 || (isForParticipants(fault) && !isAtAll) : !isAtAll) return null;
  return [
    ...(side === "ours" ? [`node: ${atNode.join(", ")}`] : []),
    ...(isAtAll && concerned.length === numbers.length
      ? [`all peerings: ${publicCode}`]
      : atPeerings.flatMap(({ number, codes }) =>
          codes.length === 0 ? [] : [`AS${asnOf(number)}: ${codes.join(", ")}`],
        )),
  ].join("; ");
}

const isForParticipants = ({ side, isForParticipants: isFor = side === "ours" }: Fault) => isFor;

function findWrongCodes(fault: Fault, ofNode: readonly string[], codesOf: CodesOf): readonly string[] {
  const { side, concerned, disturbed = [] } = fault;
  const ofOthers = numbers
    .filter((number) => !concerned.includes(number))
    .flatMap((number) => codesOf(number).map((code) => `AS${asnOf(number)}: ${code}`));
  if (side !== "ours") return [...ofNode.map((code) => `node: ${code}`), ...ofOthers];
  const ofConcerned = concerned.flatMap((number) =>
    codesOf(number)
      .filter((code) => blamingCodes.has(code) || (code !== publicCode && !disturbed.includes(number)))
      .map((code) => `AS${asnOf(number)}: ${code}`),
  );
  return [...ofOthers, ...ofConcerned];
}

function findChangedStates({ side, disturbed = [] }: Fault, before: Sample, now: Sample): readonly string[] {
  const peerings = numbers
    .filter((number) => !disturbed.includes(number))
    .flatMap((number) => {
      const [was, is] = [stateOf(before, number), stateOf(now, number)];
      return was === is ? [] : [`AS${asnOf(number)}: ${is} instead of ${was}`];
    });
  const node =
    side === "ours" || before.health.status === now.health.status ? [] : [`node: ${now.health.status}`];
  const links = side === "ours" ? [] : changedLinks(before, now);
  return [...peerings, ...node, ...links];
}

function changedLinks(before: Sample, now: Sample): readonly string[] {
  const statusOf = new Map(before.links.map(({ to, status }) => [to, status]));
  return now.links.flatMap(({ to, status }) =>
    statusOf.get(to) === status ? [] : [`the link to ${to}: ${status}`],
  );
}

/** Whether the agent says what it said before the fault. */
export function isAsBefore(before: Sample, now: Sample): boolean {
  return (
    newCodes(before.health.findings, now.health.findings).length === 0 &&
    changedLinks(before, now).length === 0 &&
    numbers.every(
      (number) =>
        newCodes(findingsOf(before, number), findingsOf(now, number)).length === 0 &&
        stateOf(before, number) === stateOf(now, number),
    )
  );
}

export function findingsOf({ peerings }: Sample, number: ParticipantNumber): readonly CodedFacts[] {
  return peerings.find(({ asn }) => asn === asnOf(number))?.findings ?? [];
}

function stateOf({ peerings }: Sample, number: ParticipantNumber): string {
  const peering = peerings.find(({ asn }) => asn === asnOf(number));
  return peering ? `tunnel ${peering.tunnel.state}, BGP ${peering.bgpStatus}` : "missing";
}

/** The pause of repairs belongs to planting. */
const ownCodes: ReadonlySet<string> = new Set(["repairs-paused"]);

function newCodes(before: readonly CodedFacts[], now: readonly CodedFacts[]): readonly string[] {
  const known = new Set(before.map(({ code }) => code));
  const codes = now.map(({ code }) => code).filter((code) => !known.has(code) && !ownCodes.has(code));
  return Array.from(new Set(codes));
}
