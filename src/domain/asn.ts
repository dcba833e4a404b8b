/** AS numbers as plain decimal text, "4242420001", which is their form on the wire. */

const decimal = /^[1-9][0-9]{0,9}$/;
/** The last 32-bit ASN is reserved (RFC 7300). */
const largest = 4_294_967_294;
/** AS_TRANS (RFC 6793) and the last 16-bit ASN (RFC 7300): reserved. */
const unusable = new Set(["23456", "65535"]);

export function isAsn(text: string): boolean {
  return decimal.test(text) && Number(text) <= largest && !unusable.has(text);
}

/** Removes surrounding blanks, and the "AS" in front of digits: "AS4242420001" becomes "4242420001". */
export function normalizeAsn(input: string): string {
  const match = /^\s*AS([0-9]+)\s*$/i.exec(input);
  return match?.[1] ?? input.trim();
}
