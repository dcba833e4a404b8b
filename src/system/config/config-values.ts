/** Kinds of values in a configuration file. `expected` describes the value in error messages. */
import * as v from "valibot";

/** A text that `parse` converts; null means that it is invalid. */
export function parsed<T>(expected: string, parse: (text: string) => T | null) {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value);
      if (value !== null) return value;
      addIssue();
      return NEVER;
    }),
    v.description(expected),
  );
}

export function text(expected: string, accept: (text: string) => boolean) {
  return parsed(expected, (given) => (accept(given) ? given : null));
}

export function number(expected: string, accept: (value: number) => boolean) {
  return v.pipe(v.number(), v.check(accept), v.description(expected));
}

export function isWholeNumber(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

export function list<S extends v.GenericSchema>(expected: string, item: S) {
  return v.optional(v.pipe(v.array(item), v.description(expected)), []);
}

export const yesOrNo = v.pipe(v.boolean(), v.description("true or false"));

/** One of two or more words: "debug", "info" or "warn". */
export function choice<const T extends readonly string[]>(words: T) {
  const quoted = words.map((word) => `"${word}"`).join(", ");
  return v.pipe(v.picklist(words), v.description(quoted.replace(/, ([^,]+)$/, " or $1")));
}

/** A key that no longer exists. `instead` completes "… is not a known key": what to write in its place. */
export function removedKey(instead: string) {
  return v.optional(v.pipe(v.never(), v.description(`; write ${instead}.`)));
}
