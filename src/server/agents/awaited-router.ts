/**
 * What a peering lacks just after its deployment: the participant's router, which is not set up yet or still connecting. Then
 * nothing is wrong, and the node waits.
 */
import type { Finding, FindingCode } from "../../domain/findings/findings.ts";

/**
 * What a tunnel without a handshake is reported as. A fault whose cause is certain is not among these: it does not go away by
 * itself.
 */
export const missingHandshakes = [
  "no-handshake",
  "handshake-expired",
  "router-not-connected",
  "router-disconnected",
] as const satisfies FindingCode[];
const awaitedTunnel: ReadonlySet<string> = new Set(missingHandshakes);
const awaitedSession: ReadonlySet<string> = new Set([
  "session-refused",
  "session-closed",
  "session-unreachable",
  "session-silent",
] satisfies FindingCode[]);

/** Replaces the findings that only say that the participant's router is missing. */
export function awaitRouter(findings: readonly Finding[]): readonly Finding[] {
  const isTunnelAwaited = findings.some(({ code }) => awaitedTunnel.has(code));
  const replaced = findings.map((finding): Finding => {
    const { code } = finding;
    if (awaitedTunnel.has(code)) return { code: "router-awaited", facts: {} };
    const isAwaited = awaitedSession.has(code) || (isTunnelAwaited && code === "session-waiting");
    return isAwaited ? { code: "session-awaited", facts: {} } : finding;
  });
  // Sessions that failed for different reasons are all awaited: one finding is enough.
  return replaced.filter(
    ({ code }, index) =>
      code !== "session-awaited" || replaced.findIndex((each) => each.code === code) === index,
  );
}
