/** What a row of the table says about a code. */
import { type FactsOf, factsOf, type FactsSchema } from "#contract/agent/findings.ts";

/** Where a finding is: a segment of a peering's path, or the node as a whole. */
export type FindingSegment = "endpoint" | "tunnel" | "session" | "routes" | "node";

/**
 * What a finding means for its segment. `note`: changes no state. `degraded`: it works, but not well. `broken`: it does
 * not work. `unknown`: its state cannot be known.
 */
export type FindingWeight = "note" | "degraded" | "broken" | "unknown";

/** A text, or a function of the facts that returns it. */
type Text<Facts> = string | ((facts: Facts) => string);

export interface FindingRow<Schema extends FactsSchema = FactsSchema> {
  readonly segment: FindingSegment;
  readonly weight: FindingWeight;
  /** The facts of the code. */
  readonly facts: Schema;
  /** Only the operator reads it: it names files, interfaces or participants of the node. Otherwise everyone may. */
  readonly audience?: "operator";
  /** What everyone reads instead of facts that are for the operator; absent if everyone may read all of them. */
  readonly publicFacts?: Readonly<Partial<FactsOf<Schema>>>;
  /** The code, without facts, that everyone reads instead of this one, which is for the operator. */
  readonly publicCode?: "node-not-forwarding";
  /** What is wrong, at most eight words, without a full stop. */
  readonly sentence: Text<FactsOf<Schema>>;
  /** What is wrong, in one or two whole sentences. */
  readonly explanation: Text<FactsOf<Schema>>;
  /** How the participant fixes it, in whole sentences; absent if the participant cannot. */
  readonly participantFix?: Text<FactsOf<Schema>>;
  /** How the provider fixes it on the node, in whole sentences; absent if the provider cannot. */
  readonly providerFix?: Text<FactsOf<Schema>>;
}

type Entries = Parameters<typeof factsOf>[0];
type RowTexts<Schema extends FactsSchema> = Omit<FindingRow<Schema>, "facts">;

/** Creates a row, whose texts are functions of the facts that the entries describe. */
export function findingRow<const E extends Entries>(
  entries: E,
  texts: RowTexts<ReturnType<typeof factsOf<E>>>,
): FindingRow<ReturnType<typeof factsOf<E>>> {
  return { ...texts, facts: factsOf(entries) };
}

/** "IPv4", "IPv4 and IPv6", "a, b and c". */
export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
