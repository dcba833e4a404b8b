/** The JSON and the ETag of responses that many callers receive, so that each is computed once. */
import { createHash } from "node:crypto";

export interface ResponseText {
  readonly text: string;
  /** With its quotation marks. */
  readonly etag: string;
}

const texts = new WeakMap<object, ResponseText>();

/** Returns the JSON of a response of a call with an ETag. A handler that returns the same object again has it prepared. */
export function prepareResponse(response: object): ResponseText {
  const known = texts.get(response);
  if (known) return known;
  const text = JSON.stringify(response);
  const prepared = { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
  texts.set(response, prepared);
  return prepared;
}
