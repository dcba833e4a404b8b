import type { PeerStatus } from "#contract/lenient.ts";

/** "25% lost"; empty if no probe was lost, or the server does not say. */
export function lossText({ wg_status: { loss = "" } }: Pick<PeerStatus, "wg_status">): string {
  return loss === "" || Number.parseFloat(loss) === 0 ? "" : `${loss} lost`;
}

/** "12.4 ms", and "12.4 ms · 25% lost" if probes are lost. */
export function latencyText(status: Pick<PeerStatus, "latency" | "wg_status">): string {
  return [status.latency || "unknown", lossText(status)].filter((text) => text !== "").join(" · ");
}
