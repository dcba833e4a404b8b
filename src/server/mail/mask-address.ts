/**
 * Returns a mail address as the page of its owner may show it: "i…@example.net". Anyone can ask about any AS, so it
 * contains only the first character and the domain, and does not depend on the length of the rest.
 */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [first = ""] = address.slice(0, at);
  return `${first}…${address.slice(at)}`;
}
