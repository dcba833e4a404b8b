/**
 * The origins under which browsers open the app, such as one on the internet and one inside the network (decision 84).
 * Nothing but the profile's own text of an origin ever leaves this file: a forged Host header only chooses among them.
 */
export interface PublicUrls {
  /** The main one, without a trailing slash. Links in mails that no request caused start with it. */
  readonly publicUrl: string;
  /** Each has a hostname of its own. */
  readonly otherPublicUrls: readonly string[];
}

/** Returns all public URLs, the main one first. */
export function listPublicUrls({ publicUrl, otherPublicUrls }: PublicUrls): readonly string[] {
  return [publicUrl, ...otherPublicUrls];
}

/** Returns the public URL that a request used. With another host than theirs, it counts as a request to the main one. */
export function findPublicUrl(urls: PublicUrls, host: string | undefined): string {
  return findByHost(urls, host) ?? urls.publicUrl;
}

/** Returns the public URL with the host of a Host header; undefined if no public URL has it. */
export function findByHost(urls: PublicUrls, host: string | undefined): string | undefined {
  const given = host?.toLowerCase();
  return listPublicUrls(urls).find((url) => {
    const [scheme = "", own] = url.split("//");
    return given === own || given === `${own}:${defaultPorts[scheme]}`;
  });
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https:");
}

/**
 * Returns the hostname of the passkeys (their RP ID) at a public URL. Null where browsers offer none: they need https, except at
 * localhost, and a name instead of an address.
 */
export function findPasskeyHost(publicUrl: string): string | null {
  const [, host = ""] = /^https?:\/\/([^/:[]+)/.exec(publicUrl) ?? [];
  const isName = /[^\d.]/.test(host);
  return (isSecure(publicUrl) && isName) || host === "localhost" ? host : null;
}
