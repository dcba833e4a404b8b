/**
 * What can be wrong, and what was done, as codes with facts. `src/domain/findings` has the sentences.
 *
 * A fact has no space, so that no sentence travels as one. Only `output`, which is what a router printed, may have them.
 */
import * as v from "valibot";

const maxFactLength = 255;
/** The longest output of a router as a fact, in UTF-16 code units. */
export const maxOutputLength = 500;
const outputName = "output";

/** An address, a name, a state or another word. */
const word = v.pipe(v.string(), v.maxLength(maxFactLength), v.regex(/^[^\s\p{C}]*$/u));
const words = v.pipe(v.array(word), v.maxLength(20));
const number = v.pipe(v.number(), v.finite());
/** What a router printed, in one line. */
const output = v.pipe(v.string(), v.maxLength(maxOutputLength), v.regex(/^\P{C}*$/u));

/** The kinds of facts, for the rows of the tables. */
export const factKinds = {
  word,
  words,
  number,
  boolean: v.boolean(),
  output,
  nullable: v.nullable,
  optional: v.exactOptional,
} as const;

/** The facts of one row. */
export function factsOf<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.object(entries);
}
export type FactsSchema = v.GenericSchema<Record<string, unknown>>;
export type FactsOf<Schema extends FactsSchema> = v.InferOutput<Schema>;

/** The facts, or null if they are not those of the row. */
export function readFacts<Schema extends FactsSchema>(
  schema: Schema,
  facts: unknown,
): FactsOf<Schema> | null {
  const parsed = v.safeParse(schema, facts);
  return parsed.success ? parsed.output : null;
}

const fact = v.union([v.boolean(), number, v.null(), words, output]);

function hasSpace(value: unknown): boolean {
  return typeof value === "string" && /\s/.test(value);
}

/** Far more than a row has. */
const maxFacts = 20;

/** A code of a table, with its facts. The receiver looks the code up, and knows what to do with one that it lacks. */
export const codedFacts = v.object({
  code: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/)),
  facts: v.pipe(
    v.record(v.pipe(v.string(), v.regex(/^[a-zA-Z]{1,30}$/)), fact),
    v.check((facts) => Object.keys(facts).length <= maxFacts),
    v.check((facts) =>
      Object.entries(facts).every(([name, value]) => name === outputName || !hasSpace(value)),
    ),
  ),
});
export type CodedFacts = v.InferOutput<typeof codedFacts>;

/** How many a list has at most, also of a hostile agent. */
export const maxCodedFacts = 50;
/** An item that is not valid does not make the rest of a response useless. */
const invalidItem: CodedFacts = { code: "invalid", facts: {} };
/** The server stores the steps of deployments. In UTF-16 code units as JSON. */
const maxListLength = 64 * 1024;
export const codedFactsList = v.pipe(
  v.array(v.fallback(codedFacts, invalidItem)),
  v.maxLength(maxCodedFacts),
  v.check((list) => JSON.stringify(list).length <= maxListLength),
  v.readonly(),
);
