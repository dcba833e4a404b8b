/**
 * Takes the token of a mailed link out of the address, so that it stays neither in the history nor in what
 * the browser tells other pages about where it came from. Null when the address holds none.
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
