/** The values of options: how they are read from an update, sent to the agent, and presented to the participant. */
import type { Peering, PublicPeering } from "#contract/agent.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { type CheckedOptions, parseMtu } from "../option-rules.ts";

/** The options as the server stores them, beside the other submitted values. */
export interface OptionValues {
  /** Null for the default. */
  readonly mtu: number | null;
  /** Canonical. Missing in what an older version stored. */
  readonly probeAddress?: string | null | undefined;
  /** Where the pre-shared key comes from; null without one. The key itself is stored elsewhere, sealed. */
  readonly presharedKey: KeySource | null;
}

/** `unknown`: the node has a key that the database does not have. */
export type KeySource = "entered" | "generated" | "unknown";

/** What an update contains instead of a key for the server to make one. */
export const generateKey = "generate";

/** The options of an update, unchecked. An absent option stays as it is, and an empty one is removed. */
export function parseOptions(
  { mtu, probe_address, preshared_key }: PeerUpdate,
  current: OptionValues | null,
): OptionValues & CheckedOptions {
  return {
    mtu: mtu === undefined ? (current?.mtu ?? null) : mtu === "" ? null : parseMtu(mtu),
    probeAddress: probe_address === undefined ? (current?.probeAddress ?? null) : probe_address || null,
    presharedKey: preshared_key === undefined ? (current?.presharedKey ?? null) : sourceOf(preshared_key),
  };
}

function sourceOf(text: string): KeySource | null {
  if (text === "") return null;
  return text === generateKey ? "generated" : "entered";
}

/** The pre-shared key in an update, unchecked; null without one. */
export function enteredKey({ preshared_key = "" }: PeerUpdate): string | null {
  return sourceOf(preshared_key) === "entered" ? preshared_key : null;
}

/** The options as the agent receives them, without the pre-shared key. */
export function toAgentOptions({ mtu, probeAddress }: OptionValues) {
  return { mtu: mtu ?? undefined, probeAddress: probeAddress ?? undefined };
}

/** The options of a peering as a node runs it. */
export function readAgentOptions(
  { mtu, probeAddress }: PublicPeering,
  presharedKey: OptionValues["presharedKey"],
): OptionValues {
  return { mtu: mtu ?? null, probeAddress: probeAddress ?? null, presharedKey };
}

/** The options that an agent received. */
export function readCheckedOptions({ mtu, probeAddress, presharedKey }: Peering): CheckedOptions {
  return { mtu: mtu ?? null, probeAddress: probeAddress ?? null, presharedKey: presharedKey ?? null };
}

/** The options as the participant reads them. */
export function presentOptions({ mtu, probeAddress, presharedKey }: OptionValues) {
  return {
    mtu: mtu === null ? "" : String(mtu),
    probe_address: probeAddress ?? "",
    preshared_key: presharedKey === null ? "" : presharedKey === "unknown" ? presharedKey : "set",
  } as const;
}
