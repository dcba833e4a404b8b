/** AS numbers in plain decimal text, "4242420001", as they travel on the wire. */

const decimal = /^[1-9][0-9]{0,9}$/;
const largest = 4_294_967_295;
/** AS_TRANS (RFC 6793), last 16-bit and last 32-bit ASN (RFC 7300): no network can hold them. */
const unusable = new Set(["23456", "65535", "4294967295"]);

export function isAsn(text: string): boolean {
  return decimal.test(text) && Number(text) <= largest && !unusable.has(text);
}

/** Digits of what a person typed, "AS4242420001" and surrounding blanks included; otherwise the text as it is. */
export function tidyAsn(typed: string): string {
  const match = /^\s*(?:AS)?([0-9]+)\s*$/i.exec(typed);
  return match?.[1] ?? typed.trim();
}
