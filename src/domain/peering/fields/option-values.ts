/** The values of options: how they are read from an update, sent to the agent, and presented to the participant. */
import type { Peering } from "../../../contract/agent.ts";
import type { PeerUpdate } from "../../../contract/entities.ts";
import { parseMtu } from "../mtu.ts";

/** As the server stores them, with what else the participant submitted. */
export interface OptionValues {
  /** Null for the default. */
  readonly mtu: number | null;
}

/** The options of an update, unchecked. An absent option stays as it is, and an empty one is removed. */
export function parseOptions({ mtu }: PeerUpdate, current: OptionValues | null): OptionValues {
  return {
    mtu: mtu === undefined ? (current?.mtu ?? null) : mtu === "" ? null : parseMtu(mtu),
  };
}

/** The options as the agent receives them. */
export function toAgentOptions({ mtu }: OptionValues) {
  return { mtu: mtu ?? undefined };
}

/** The options of a peering as a node runs it. */
export function readAgentOptions({ mtu }: Peering): OptionValues {
  return { mtu: mtu ?? null };
}

/** The options as the participant reads them. */
export function presentOptions({ mtu }: Peering) {
  return { mtu: mtu === undefined ? "" : String(mtu) };
}
