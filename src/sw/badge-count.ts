/**
 * How many peerings need the participant, after a push message, for the icon of the installed app. An open page counts with
 * the findings' table, which the worker lacks. The words of the status say the same, except which of several findings comes
 * first: a peering that waits for the participant's router is not counted here, whatever else was found. So the worker
 * never counts a peering that a page does not.
 */
import type { PeerStatus } from "../contract/lenient.ts";

/** The codes of `isAwaited` in `src/domain/findings`. */
const awaited: ReadonlySet<string> = new Set(["router-awaited", "session-awaited"]);

export function countNeedy(peerings: readonly PeerStatus[]): number {
  return peerings.filter(isNeedy).length;
}

function isNeedy({ known, deployment, findings = [], bgp_status, wg_status }: PeerStatus): boolean {
  if (!known || deployment !== null || findings.some(({ code }) => awaited.has(code))) return false;
  const { state, issues } = wg_status;
  const words = [bgp_status, state === "Up" && issues.length > 0 ? "Issues" : state];
  if (words.some((word) => word === "Down" || word === "Not found")) return true;
  // Another server's words may say nothing.
  return words.every((word) => !isUnknown(word)) && words.some((word) => word !== "OK" && word !== "Up");
}

function isUnknown(word: string): boolean {
  return word === "" || word === "Unknown";
}
