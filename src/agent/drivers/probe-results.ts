/** What a router's probes say about the way of packets. */
import type { Family } from "../../domain/peering/bgp-sessions.ts";

/** The probes of one peering. An address that is not asked has no entry. */
export interface PeeringProbes {
  /** Between the tunnel's own addresses, one entry per address family. */
  readonly tunnel: readonly ProbeResult[];
  /** From the node's network addresses to the participant's tunnel addresses, one entry per address family. */
  readonly way: readonly ProbeResult[];
  /** From the node's network address to an address in the participant's network, which the participant chose. */
  readonly network: NetworkProbe | null;
}

export interface ProbeResult {
  readonly family: Family;
  /** The address of the node that asks. */
  readonly source: string;
  /** The participant's address that is asked. */
  readonly target: string;
  /** Round trip of the last reply of the last five minutes, in milliseconds; null without one. */
  readonly latencyMs: number | null;
  /** Probes of the last five minutes whose result is known. Zero: the way is unknown. */
  readonly sent: number;
  /** Those of them without a reply. */
  readonly lost: number;
  /** Probes without a reply since the last one that had one, or since the first one. */
  readonly missesInRow: number;
}

/** `null`: no probe is sent, because the node's route to the address does not lead through this tunnel. */
export interface NetworkProbe {
  readonly target: string;
  readonly result: ProbeResult | null;
}
