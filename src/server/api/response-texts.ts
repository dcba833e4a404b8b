/** The JSON of responses that many callers share, so that it is written once. */
const texts = new WeakMap<object, () => string>();

/** Returns the response, whose JSON is this text. */
export function withText<T extends object>(response: T, createText: () => string): T {
  texts.set(response, createText);
  return response;
}

/** Returns a response that several callers receive. */
export function withSharedText<T extends object>(response: T): T {
  let text: string | undefined;
  return withText(response, () => (text ??= JSON.stringify(response)));
}

export function toText(response: object): string {
  return texts.get(response)?.() ?? JSON.stringify(response);
}
