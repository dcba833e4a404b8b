/**
 * What another program's chain does with a packet.
 *
 * A rule that drops counts only if everything that it requires is known to be true: interfaces, addresses, address family and
 * protocol. One that accepts counts also if it may be true, so that a rule that is not understood is no fault.
 */
import { type IsMatching, matches, matchesValue, type SamplePacket } from "./packet-match.ts";
import { memoizeByObject } from "../memoize-by-object.ts";
import {
  drops,
  elementsOf,
  entriesOf,
  type ListedRule,
  type ListedTable,
  type Statement,
} from "./ruleset.ts";

/** `dropped by default`: by the policy, or by a rule without conditions. `unknown`: the rules do not say. */
export type PacketVerdict = "accepted" | "dropped" | "dropped by default" | "unknown";

/** Where a packet is after a chain. */
type Outcome = PacketVerdict | "returned";

/** Every sample packet walks through the same tables. */
const rulesOf = memoizeByObject(({ rules }: ListedTable) => Map.groupBy(rules, ({ chain }) => chain));

export function verdictOf(
  table: ListedTable,
  { name, policy }: { readonly name: string; readonly policy?: string | undefined },
  packet: SamplePacket,
): PacketVerdict {
  const elements = elementsOf(table);
  const rules = rulesOf(table);
  const visiting = new Set<string>();

  function walk(chain: string, isConditional: boolean): Outcome {
    // The kernel has no loops, and this reads what nft printed.
    if (visiting.has(chain)) return "unknown";
    visiting.add(chain);
    const outcome = walkRules(rules.get(chain) ?? [], isConditional);
    visiting.delete(chain);
    return outcome;
  }

  function walkRules(all: readonly ListedRule[], isConditional: boolean): Outcome {
    let mayHaveReturned = false;
    for (const rule of all) {
      const outcome = applyRule(rule, isConditional);
      if (outcome === "may return") mayHaveReturned = true;
      else if (outcome !== null) return mayHaveReturned && isDrop(outcome) ? "unknown" : outcome;
    }
    return "returned";
  }

  /** Null: the packet goes on with the next rule. */
  function applyRule({ expr }: ListedRule, wasConditional: boolean): Outcome | "may return" | null {
    let isMatching: IsMatching = true;
    let isConditional = wasConditional;
    for (const statement of expr) {
      const found = statement.match
        ? matches(statement.match, packet, elements)
        : matchesOther(statement, packet);
      isConditional ||= statement.match !== undefined || found === null || statement.vmap !== undefined;
      if (found === false) return null;
      if (found === null) isMatching = null;
      const verdict = statement.vmap ? lookUp(statement.vmap) : statement;
      if (verdict === "unknown") return "unknown";
      const outcome = verdict && applyVerdict(verdict, isMatching, isConditional);
      if (outcome !== null) return outcome;
    }
    return null;
  }

  function applyVerdict(
    statement: Statement,
    isMatching: IsMatching,
    isConditional: boolean,
  ): Outcome | "may return" | null {
    if (drops(statement)) {
      if (isMatching === null) return null;
      return isConditional ? "dropped" : "dropped by default";
    }
    if ("accept" in statement) return isMatching === null ? "unknown" : "accepted";
    if ("queue" in statement) return "unknown";
    if ("return" in statement) return isMatching === null ? "may return" : "returned";
    const { target } = statement.jump ?? statement.goto ?? {};
    if (target === undefined) return null;
    const outcome = walk(target, isConditional);
    if (outcome === "returned") return statement.goto && isMatching === true ? "returned" : null;
    if (isMatching === true) return outcome;
    return isDrop(outcome) ? null : "unknown";
  }

  /** Returns the verdict of a map for the packet; null if it has none, "unknown" if the map cannot be read. */
  function lookUp({ key, data }: NonNullable<Statement["vmap"]>): Statement | "unknown" | null {
    const entries = entriesOf(data, elements);
    if (entries === null) return "unknown";
    for (const [value, verdict] of entries) {
      const found = matchesValue(key, value, packet, elements);
      if (found === null && ("accept" in verdict || verdict.jump || verdict.goto)) return "unknown";
      if (found === true) return verdict;
    }
    return null;
  }

  const outcome = walk(name, false);
  if (outcome !== "returned") return outcome;
  return policy === "drop" ? "dropped by default" : "accepted";
}

export const isDrop = (outcome: string) => outcome === "dropped" || outcome === "dropped by default";

/** Statements that are neither a condition nor a verdict. */
const neutral = new Set(["counter", "log", "comment", "mangle", "notrack", "flow", "dup", "ct helper"]);
const verdicts = new Set(["accept", "drop", "reject", "jump", "goto", "return", "queue", "continue", "vmap"]);

/** Whether a statement that is no `match` lets the packet go on to the rest of its rule. */
function matchesOther(statement: Statement, { state }: SamplePacket): IsMatching {
  if ("xt" in statement) {
    const { type, name } = statement.xt ?? {};
    if (type === "target" || name === "comment") return true;
    // What nft does not print of it is nearly always ESTABLISHED.
    return (name === "conntrack" || name === "state") && state === "new" ? false : null;
  }
  return Object.keys(statement).every((key) => neutral.has(key) || verdicts.has(key)) ? true : null;
}
