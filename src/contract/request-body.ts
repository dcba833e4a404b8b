import * as v from "valibot";
import type { Call, CallBody } from "./call.ts";
import type { ErrorBody } from "./http-error.ts";

export type ReadBody<C extends Call> =
  | { readonly ok: true; readonly body: CallBody<C> }
  | { readonly ok: false; readonly status: 400 | 422; readonly errorBody: ErrorBody };

/**
 * Parses a request body by the schema of the call. A call without a body accepts any text. Broken JSON is 400; a value
 * of the wrong shape, or with a NUL character, which databases do not store, is 422 and names its field.
 */
export function readBody<C extends Call>(call: C, text: string): ReadBody<C> {
  if (call.body === null) return { ok: true, body: undefined as CallBody<C> };
  let json: unknown;
  let keyWithNul: string | undefined;
  try {
    const findNul = (key: string, value: unknown) => {
      if (key.includes("\0") || (typeof value === "string" && value.includes("\0"))) keyWithNul ??= key;
      return value;
    };
    // The function overflows the stack with deeply nested values. JSON writes NUL in one way only (RFC 8259).
    json = JSON.parse(text, text.includes("\\u0000") ? findNul : undefined);
  } catch {
    return {
      ok: false,
      status: 400,
      errorBody: { message: "The body is not valid JSON. Nothing was changed." },
    };
  }
  if (keyWithNul !== undefined) {
    const message = `The value of ${keyWithNul} contains a NUL character. Nothing was changed.`;
    return { ok: false, status: 422, errorBody: { message, field: keyWithNul } };
  }
  const parsed = v.safeParse(call.body, json, { abortEarly: true });
  if (parsed.success) return { ok: true, body: parsed.output as CallBody<C> };
  const [issue] = parsed.issues;
  const field = fieldOf(issue);
  return {
    ok: false,
    status: 422,
    errorBody:
      field === undefined
        ? { message: `The body has the wrong shape: ${issue.message}. Nothing was changed.` }
        : {
            message: `The value of ${field} has the wrong shape: ${issue.message}. Nothing was changed.`,
            field,
          },
  };
}

/** The innermost named key on the path to an issue. Positions in arrays have no name. */
function fieldOf(issue: v.BaseIssue<unknown>): string | undefined {
  const named = issue.path?.filter((item) => typeof item.key === "string") ?? [];
  return named.at(-1)?.key as string | undefined;
}
