/** AS numbers as plain decimal text, "4242420001", which is their form on the wire. */

const decimal = /^[1-9][0-9]{0,9}$/;
/** The last 32-bit ASN is reserved (RFC 7300). */
const largest = 4_294_967_294;
/** AS_TRANS (RFC 6793) and the last 16-bit ASN (RFC 7300): reserved. */
const unusable = new Set(["23456", "65535"]);

export function isAsn(text: string): boolean {
  return decimal.test(text) && Number(text) <= largest && !unusable.has(text);
}

/** Blanks, line breaks, and characters that no font shows, such as the zero-width space: a paste contains them. */
const blanks = /[\s\p{Cf}]+/gu;
const typedAsn = /^(?:AS ?)?([0-9 ]+)$/i;

/**
 * Returns the digits of an AS number as people write it, such as "AS4242420001", "as 4242 420 001" and
 * "4242420001" with blanks around it. Null for any other text: leading zeros, digits of other scripts, and the form
 * "64496.1" (RFC 5396), whose point other people write between thousands.
 */
export function parseAsn(typed: string): string | null {
  const digits = typedAsn.exec(typed.replaceAll(blanks, " ").trim())?.[1]?.replaceAll(" ", "") ?? "";
  return isAsn(digits) ? digits : null;
}

/** What is sent for a typed AS number: its digits, or the text without blanks around it, which the server validates. */
export function canonicalizeAsn(typed: string): string {
  return parseAsn(typed) ?? typed.trim();
}
