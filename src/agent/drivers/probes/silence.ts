/** Whether misses in a row mean silence: on a line that loses packets, they are likely. */
import type { ProbeResult } from "../probe-results.ts";

type Counts = Pick<ProbeResult, "sent" | "lost">;

/** An address is silent if so many misses in a row would be less likely than this on a line with its usual loss. */
const unlikely = { tunnel: 0.0001, beyond: 0.005 } as const;
export const minMisses = 2;
/** The probes of a tunnel's end show the loss of its line. Without them, this many misses are necessary. */
const minMissesAlone = 3;
/** On a line that has lost this many, only an address that has not replied for five minutes is silent. */
const minLost = 2;
const minMissesWithLoss = 5;

/** Whether the other end of a tunnel does not reply: never lately, or no longer. */
export function isTunnelSilent({ sent, lost, missesInRow: misses }: ProbeResult): boolean {
  if (misses < minMisses) return false;
  const before = { sent: sent - misses, lost: lost - misses };
  return before.sent <= before.lost || usualLoss(before) ** misses < unlikely.tunnel;
}

/** Whether an address does not reply, although the end of the tunnel does. */
export function isSilentBeyond({ missesInRow: misses }: ProbeResult, end: ProbeResult | undefined): boolean {
  if (!end || end.latencyMs === null || end.missesInRow >= minMisses || misses < minMisses) return false;
  if (end.lost >= minLost && misses < minMissesWithLoss) return false;
  return usualLoss(end) ** misses < unlikely.beyond;
}

/** Whether another node does not reply through a tunnel that is up; the address of the tunnel's end may be unknown. */
export function isNodeSilent(result: ProbeResult, end: ProbeResult | undefined): boolean {
  return end ? isSilentBeyond(result, end) : result.missesInRow >= minMissesAlone;
}

/** How likely the next probe is lost (rule of succession): few probes do not prove that a line loses none. */
function usualLoss({ sent, lost }: Counts): number {
  return (lost + 1) / (sent + 2);
}
