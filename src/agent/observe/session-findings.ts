import type { Peering } from "../../contract/agent.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import type { BgpSession } from "../../domain/peering/bgp-sessions.ts";
import type { NeighbourCapabilities, SessionObservation } from "../drivers/router.ts";
import { toOutput } from "../router-output.ts";

/** The state of a BGP session that exchanges routes, in BIRD's words. */
export const established = "Established";

/** A session with what BIRD says about it. */
export interface ObservedSession {
  readonly session: BgpSession;
  readonly observed: Pick<
    SessionObservation,
    "state" | "detail" | "isDisabled" | "flaps" | "unconfirmedSeconds" | "neighbour"
  >;
}

/** What BIRD's last errors mean; tests/fixtures/router-outputs has recordings of them. */
const codesByDetail = [
  [/^Socket: Connection refused/, "session-refused"],
  [/^Socket: Connection (?:closed|reset)/, "session-closed"],
  [/^Socket: (?:No route to host|Network is unreachable)/, "session-unreachable"],
  [/Bad peer AS/, "session-wrong-as"],
  [/Hold timer expired/, "session-hold-timer"],
] as const;
const shutDown = /Administrative(?:ly)? (?:shutdown|stop)/;
const nothing = { state: "", detail: "" };
const noReplyStates = new Set(["Idle", "Connect", "Active"]);

/** Why sessions are not Established. Sessions with the same cause have one finding. */
export function findSessionFaults(
  peering: Peering,
  sessions: readonly ObservedSession[],
): readonly Finding[] {
  const [disabled, enabled] = partitionDisabled(sessions);
  const failed = enabled.filter(({ observed }) => observed.state !== established);
  const groups = Map.groupBy(failed, ({ observed }) => keyOf(observed));
  const faults = Array.from(groups.values(), (group) => {
    const families = familiesOf(group);
    const addresses = group.flatMap(({ session }) => nodeAddressOf(peering, session) ?? []);
    return findingOf(group[0]?.observed ?? nothing, { families, addresses });
  });
  return [...findDisabled(disabled), ...faults];
}

/** Which sessions the provider has disabled. The participant can do nothing about them. */
export function findDisabled(sessions: readonly ObservedSession[]): readonly Finding[] {
  const [disabled] = partitionDisabled(sessions);
  if (disabled.length === 0) return [];
  const names = disabled.map(({ session }) => session.name);
  return [{ code: "session-disabled", facts: { families: familiesOf(disabled), sessions: names } }];
}

function partitionDisabled(sessions: readonly ObservedSession[]) {
  const isDisabled = ({ observed }: ObservedSession) => observed.isDisabled === true;
  return [sessions.filter(isDisabled), sessions.filter((session) => !isDisabled(session))] as const;
}

function familiesOf(sessions: ReadonlyArray<Pick<ObservedSession, "session">>): string[] {
  return [...new Set(sessions.flatMap(({ session }) => session.channels))];
}

/** Equal for sessions with the same cause. */
function keyOf(observed: ObservedSession["observed"]): string {
  return JSON.stringify(findingOf(observed, { families: [], addresses: [] }));
}

function findingOf(
  { state, detail, flaps }: ObservedSession["observed"],
  facts: { readonly families: string[]; readonly addresses: string[] },
): Finding {
  const [, code] = codesByDetail.find(([pattern]) => pattern.test(detail)) ?? [];
  // A router that waits after an error closes connections. The error is the cause.
  if (code === "session-closed" && flaps !== undefined) return { code: "session-hold-timer", facts };
  if (code !== undefined) return { code, facts };
  if (detail === "" && noReplyStates.has(state)) return { code: "session-silent", facts };
  const output = toOutput(detail);
  return shutDown.test(detail)
    ? { code: "session-shut-down", facts: { ...facts, output } }
    : { code: "session-not-established", facts: { ...facts, state, output } };
}

/** More ends by the hold timer than this in ten minutes are no coincidence. */
const maxHoldTimerEnds = 2;

/** What is wrong with sessions that are Established, or were a moment ago: they do not work as they should. */
export function findDegraded(sessions: readonly ObservedSession[]): readonly Finding[] {
  const enabled = sessions.filter(({ observed }) => observed.isDisabled !== true);
  const up = enabled.filter(({ observed }) => observed.state === established);
  return [...findFlapping(enabled), ...findStuck(up), ...up.flatMap(findMissingCapabilities)];
}

function findFlapping(sessions: readonly ObservedSession[]): readonly Finding[] {
  const flapping = sessions.flatMap(({ session, observed: { flaps } }) =>
    flaps !== undefined && flaps.holdTimerEnds > maxHoldTimerEnds ? [{ session, flaps }] : [],
  );
  if (flapping.length === 0) return [];
  const times = Math.max(...flapping.map(({ flaps }) => flaps.holdTimerEnds));
  const seconds = Math.max(...flapping.map(({ flaps }) => flaps.sinceSeconds));
  return [{ code: "session-flapping", facts: { families: familiesOf(flapping), times, seconds } }];
}

function findStuck(up: readonly ObservedSession[]): readonly Finding[] {
  const stuck = up.filter(({ observed }) => observed.unconfirmedSeconds !== undefined);
  if (stuck.length === 0) return [];
  const seconds = Math.max(...stuck.map(({ observed }) => observed.unconfirmedSeconds ?? 0));
  return [{ code: "session-stuck", facts: { families: familiesOf(stuck), seconds } }];
}

function findMissingCapabilities({ session, observed: { neighbour } }: ObservedSession): readonly Finding[] {
  if (!neighbour) return [];
  return [findMissingFamily(session, neighbour), findMissingNextHop(session, neighbour)].flatMap(
    (finding) => finding ?? [],
  );
}

/** An address family of the peering that the neighbour did not announce. */
export function findMissingFamily(session: BgpSession, { families }: NeighbourCapabilities): Finding | null {
  const family = session.channels.find((channel) => !families.includes(channel));
  return family === undefined
    ? null
    : { code: "family-not-announced", facts: { session: session.name, family } };
}

export function findMissingNextHop(
  session: BgpSession,
  { extendedNextHop }: NeighbourCapabilities,
): Finding | null {
  return !session.extendedNextHop || extendedNextHop
    ? null
    : { code: "extended-next-hop-missing", facts: { session: session.name } };
}

/** The node's address of the session; null if the peering has none. */
function nodeAddressOf(peering: Peering, { transport }: BgpSession): string | null {
  return transport === "IPv4" ? peering.localIpv4 : peering.localIpv6;
}
