import { promises as dns } from "node:dns";
import type { Resolver } from "./resolve-endpoint.ts";

/** The name has no such record, or does not exist: an empty result, not a failure. */
const emptyResults = new Set<string | undefined>(["ENODATA", "ENOTFOUND"]);

/**
 * Creates a resolver that queries name servers, IPv4 first. It does not use the operating system's
 * `getaddrinfo`, which cannot be cancelled and occupies one of the few threads that also read files.
 *
 * @param servers `address` or `address:port`; the system's own by default
 */
export function createSystemResolver(servers?: readonly string[]): Resolver {
  return async (name, signal) => {
    const dnsResolver = new dns.Resolver({ timeout: 2000, tries: 2 });
    if (servers) dnsResolver.setServers(servers);
    const cancel = () => dnsResolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const results = await Promise.allSettled([
        dnsResolver.resolve4(name).catch(emptyOrThrow),
        dnsResolver.resolve6(name).catch(emptyOrThrow),
      ]);
      const addresses = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
      const failure = results.find((result) => result.status === "rejected");
      // One address family may fail while the other works.
      if (addresses.length === 0 && failure) throw failure.reason;
      return addresses;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

function emptyOrThrow(error: NodeJS.ErrnoException): string[] {
  if (emptyResults.has(error.code)) return [];
  throw error;
}
