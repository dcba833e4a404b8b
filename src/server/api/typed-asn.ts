import { parseAsn } from "#domain/asn.ts";

/** The fields of request bodies that contain an AS number, in every call that has them. */
const asnFields = ["username", "asn"] as const;

/**
 * Returns a request body with the digits of the AS numbers that a person has typed, so that handlers, limits and the
 * comparison with the login session see one form. Other texts stay as they are: the handler rejects them.
 */
export function withCanonicalAsns(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withCanonicalAsns);
  if (typeof body !== "object" || body === null) return body;
  const fields = new Map(Object.entries(body));
  const typed = asnFields.flatMap((name) => {
    const text = fields.get(name);
    return typeof text === "string" ? [[name, parseAsn(text) ?? text] as const] : [];
  });
  return typed.length === 0 ? body : { ...body, ...Object.fromEntries(typed) };
}
