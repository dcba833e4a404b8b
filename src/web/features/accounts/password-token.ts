/**
 * Removes the token of a mailed link from the address, so that it is neither in the browser history nor in referrers.
 *
 * @returns the token; null if the address has none.
 */
export function takePasswordToken(
  location: Pick<Location, "href">,
  history: Pick<History, "state" | "replaceState">,
): string | null {
  const address = new URL(location.href);
  const token = address.searchParams.get("token");
  if (!/^\/setPassword\/?$/i.test(address.pathname) || token === null) return null;
  address.searchParams.delete("token");
  history.replaceState(history.state, "", `${address.pathname}${address.search}${address.hash}`);
  return token === "" ? null : token;
}
