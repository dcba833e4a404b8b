/**
 * What the doctor can find: a code with its level and its sentence. A problem keeps the server from its work, a warning is
 * for the operator to look at. A sentence of either ends with what to do.
 */
import { machineSentences } from "./machine-sentences.ts";
import { networkSentences } from "./network-sentences.ts";
import type { Level, SentenceRow } from "./sentence-row.ts";

const sentences = { ...machineSentences, ...networkSentences } as const;

type Code = keyof typeof sentences;
type FactsOf<C extends Code> = Parameters<(typeof sentences)[C]["sentence"]>[0];

export interface Finding {
  readonly code: Code;
  readonly level: Level;
  /** No passwords: `--json` prints them. */
  readonly facts: object;
  readonly sentence: string;
}

export function finding<C extends Code>(
  code: C,
  ...[facts]: object extends FactsOf<C> ? [] : [facts: FactsOf<C>]
): Finding {
  const { level, sentence } = sentences[code] as SentenceRow<object>;
  const given = facts ?? {};
  return { code, level, facts: given, sentence: sentence(given) };
}
