import type { Peering } from "../../contract/agent.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import type { BgpSession } from "../../domain/peering/bgp-sessions.ts";
import type { SessionObservation } from "../drivers/router.ts";
import { toOutput } from "../router-output.ts";

/** The state of a BGP session that exchanges routes, in BIRD's words. */
export const established = "Established";

/** A session with what BIRD says about it. */
export interface ObservedSession {
  readonly session: BgpSession;
  readonly observed: Pick<SessionObservation, "state" | "detail" | "isDisabled">;
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
    const { state = "", detail = "" } = group[0]?.observed ?? {};
    return findingOf(state, detail, { families, addresses });
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

function familiesOf(sessions: readonly ObservedSession[]): string[] {
  return [...new Set(sessions.flatMap(({ session }) => session.channels))];
}

/** Equal for sessions with the same cause. */
function keyOf({ state, detail }: ObservedSession["observed"]): string {
  return JSON.stringify(findingOf(state, detail, { families: [], addresses: [] }));
}

function findingOf(
  state: string,
  detail: string,
  facts: { readonly families: string[]; readonly addresses: string[] },
): Finding {
  const [, code] = codesByDetail.find(([pattern]) => pattern.test(detail)) ?? [];
  if (code !== undefined) return { code, facts };
  if (detail === "" && noReplyStates.has(state)) return { code: "session-silent", facts };
  const output = toOutput(detail);
  return shutDown.test(detail)
    ? { code: "session-shut-down", facts: { ...facts, output } }
    : { code: "session-not-established", facts: { ...facts, state, output } };
}

/** The node's address of the session; null if the peering has none. */
function nodeAddressOf(peering: Peering, { transport }: BgpSession): string | null {
  return transport === "IPv4" ? peering.localIpv4 : peering.localIpv6;
}
