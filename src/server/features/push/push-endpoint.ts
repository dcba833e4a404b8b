/**
 * The push services of the browsers that people use. Chromium without Google's keys, as Linux distributions
 * build it, has its subscriptions at jmt17.google.com.
 */
const known = new Set(["fcm.googleapis.com", "jmt17.google.com", "updates.push.services.mozilla.com"]);
const knownDomains = [".push.apple.com", ".notify.windows.com"];

/**
 * Whether messages may be sent there: https, at the known push services' own port or at a `host` or
 * `host:port` that the provider named. The text must be what `URL` makes of it, so that nobody else can read
 * another host from it than we do.
 */
export function isPushEndpoint(endpoint: string, ownHosts: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (url?.href !== endpoint || url.protocol !== "https:" || url.hash !== "") return false;
  if (url.username !== "" || url.password !== "") return false;
  const { host } = url;
  return known.has(host) || knownDomains.some((domain) => host.endsWith(domain)) || ownHosts.includes(host);
}
