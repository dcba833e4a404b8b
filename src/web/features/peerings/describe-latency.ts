import type { PeerStatus } from "#contract/lenient.ts";

/** "12.4 ms", and "12.4 ms · 25% lost" if probes are lost. */
export function latencyText({
  latency,
  wg_status: { loss = "" },
}: Pick<PeerStatus, "latency" | "wg_status">): string {
  const hasLoss = loss !== "" && Number.parseFloat(loss) !== 0;
  return `${latency || "unknown"}${hasLoss ? ` · ${loss} lost` : ""}`;
}
