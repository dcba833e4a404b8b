export type Level = "ok" | "warning" | "problem";

export interface SentenceRow<F> {
  readonly level: Level;
  readonly sentence: (facts: F) => string;
}
export function ok<F = object>(sentence: SentenceRow<F>["sentence"]): SentenceRow<F> {
  return { level: "ok", sentence };
}

export function warning<F = object>(sentence: SentenceRow<F>["sentence"]): SentenceRow<F> {
  return { level: "warning", sentence };
}

export function problem<F = object>(sentence: SentenceRow<F>["sentence"]): SentenceRow<F> {
  return { level: "problem", sentence };
}

export interface PathFacts {
  readonly path: string;
}

export interface NodeFacts {
  readonly host: string;
}

/** A sentence that another part of the server has for the operator. */
export interface TextFacts {
  readonly text: string;
}
