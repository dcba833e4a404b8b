import { contains, parseAddress, prefix, unmapIpv4 } from "../../domain/prefix.ts";

const loopback = ["127.0.0.0/8", "::1/128"].map(prefix);

/**
 * Whether a text is the URL of a mail server. Parameters are rejected, because the mail library reads options from them:
 * `?tls.rejectUnauthorized=false` would switch the check of certificates off.
 */
export function isSmtpUrl(given: string): boolean {
  const url = URL.parse(given);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "" && !/[?#]/.test(given);
}

/**
 * Whether the URL names a mail server on this machine: `localhost` or a loopback address. Every other name counts as
 * remote, whatever it resolves to, because the resolution can change.
 */
export function isLocalMailServer(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  if (host.toLowerCase() === "localhost") return true;
  const parsed = parseAddress(host);
  if (!parsed) return false;
  const address = unmapIpv4(parsed);
  return loopback.some((range) => contains(range, address));
}
