/**
 * The peerings of a node's response. Most readers need one of some thousand, so each is validated when it is read.
 *
 * Invariants: an item is validated once, however many readers there are. An invalid item is ignored and counted, and hides no
 * valid one of the same AS. Of several valid ones, the last counts.
 */
import * as v from "valibot";
import { agentCalls, type ObservedPeering, observedPeering } from "../../contract/agent.ts";
import { maxListedPeerings } from "../../contract/agent/bounds.ts";
import { createSlices } from "../db/bulk/slices.ts";

export class ObservedPeerings {
  /** Undefined where an item has not been validated, null where it is invalid. */
  readonly #validated: Array<ObservedPeering | null | undefined> = [];
  readonly #items: unknown[];
  readonly #excess: number;
  readonly #positions: ReadonlyMap<unknown, readonly number[]>;

  constructor(items: readonly unknown[]) {
    this.#items = items.slice(0, maxListedPeerings);
    this.#excess = items.length - this.#items.length;
    this.#positions = Map.groupBy(this.#items.keys(), (position) => readAsn(this.#items[position]));
  }

  find(asn: string): ObservedPeering | undefined {
    for (const position of this.#positions.get(asn)?.toReversed() ?? []) {
      const valid = this.#validate(position);
      if (valid) return valid;
    }
    return undefined;
  }

  /** Validates all items, in slices, and returns how many are ignored. */
  async countIgnored(): Promise<number> {
    let ignored = this.#excess;
    const slices = createSlices();
    for (const position of this.#items.keys()) {
      if (this.#validate(position) === null) ignored += 1;
      await slices.yieldWhenLong();
    }
    return ignored;
  }

  #validate(position: number): ObservedPeering | null {
    const known = this.#validated[position];
    if (known !== undefined) return known;
    const parsed = v.safeParse(observedPeering, this.#items[position], { abortEarly: true });
    const valid = parsed.success ? parsed.output : null;
    this.#validated[position] = valid;
    this.#items[position] = undefined;
    return valid;
  }
}

function readAsn(item: unknown): unknown {
  return typeof item === "object" && item !== null && "asn" in item ? item.asn : undefined;
}

/** The calls to an agent as the server makes them. */
export const nodeCalls = {
  ...agentCalls,
  observe: {
    ...agentCalls.observe,
    response: v.pipe(
      v.array(v.unknown()),
      v.transform((items) => new ObservedPeerings(items)),
    ),
  },
};
export type NodeCalls = typeof nodeCalls;
