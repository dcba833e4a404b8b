/**
 * The bounds of what an agent sends. They hold for a hostile agent too: its node may have been compromised.
 *
 * A list about many peerings keeps its valid items, so that one wrong item concerns only its own peering. A response with
 * anything else out of bounds is refused as a whole: it concerns one peering, or only the node.
 */
import * as v from "valibot";
import { truncatedMark } from "../diagnostics.ts";
import { factKinds } from "./findings.ts";

/** How many peerings a list has at most, deleted ones included. A response of 4 MiB has room for about as many. */
export const maxListedPeerings = 10_000;

/** Parses a list, drops invalid items and those beyond `max`. The caller of the agent counts the dropped ones. */
export function lenientList<S extends v.GenericSchema>(item: S, max: number) {
  return v.pipe(
    v.array(v.unknown()),
    // First, because a response has room for millions of invalid items.
    v.transform((items) => items.slice(0, max)),
    v.array(v.fallback(v.nullable(item), null)),
    v.transform((items) => items.filter((each) => each !== null) as Array<v.InferOutput<S>>),
  );
}

/** A list that is refused as a whole if it is longer or has an invalid item. */
export function shortList<S extends v.GenericSchema>(item: S, max: number) {
  return v.pipe(v.array(item), v.maxLength(max));
}

/** An AS number: rows, conflicts and lines of the operator's commands name it. */
export const sentAsn = v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,9}$/));
/** A name, an address or another text without blanks and control characters. */
export const word = factKinds.word;
/** The name of a node or a version. */
export const shortWord = v.pipe(word, v.maxLength(100));
/** 32 bytes in base64. */
export const sentKey = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/));
export const portNumber = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));
/** The server compares it with its own counter, too (`src/server/db/generation.ts`). */
export const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

function between(min: number, max: number) {
  return v.pipe(v.number(), v.minValue(min), v.maxValue(max));
}

/** Of all lists in a response together, the number fits into a column of 32 bits. */
export const routeCount = v.pipe(between(0, 100_000_000), v.integer());
/** Not negative and finite: the server adds up what agents return. An hour. */
export const milliseconds = between(0, 3_600_000);
export const byteCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Rounding may exceed 100. */
export const percent = between(0, 110);
/** Up to 300 years. */
export const seconds = between(0, 10_000_000_000);
export const loadAverage = between(0, 1_000_000);

/** A text in one line that a participant reads: a longer one is cut. */
export function shortText(max: number) {
  return v.pipe(
    v.string(),
    v.transform((text) => (text.length <= max ? text : `${cutText(text, max - 1)}…`)),
  );
}

/** What a router or a program printed, in lines: a longer text is cut, and says so. */
export function printedText(max: number) {
  return v.pipe(
    v.string(),
    v.transform((text) => (text.length <= max ? text : `${cutText(text, max)}\n${truncatedMark})\n`)),
  );
}

/** Cuts a text without cutting a surrogate pair. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
