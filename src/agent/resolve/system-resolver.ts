import { promises as dns } from "node:dns";
import type { Resolver } from "./resolver.ts";

/** The name exists without such a record, or does not exist at all: an answer, not a failure. */
const nothing = new Set<string | undefined>(["ENODATA", "ENOTFOUND"]);

/**
 * Asks name servers, IPv4 first. It does not go through the operating system's `getaddrinfo`, which cannot
 * be stopped and holds one of the few threads that files are read with.
 *
 * @param servers `address` or `address:port`; the machine's own by default
 */
export function createSystemResolver(servers?: readonly string[]): Resolver {
  return async (name, signal) => {
    const asked = new dns.Resolver({ timeout: 2000, tries: 2 });
    if (servers) asked.setServers(servers);
    const stop = () => asked.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const answers = await Promise.allSettled([
        asked.resolve4(name).catch(noneOr),
        asked.resolve6(name).catch(noneOr),
      ]);
      const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      const failure = answers.find((answer) => answer.status === "rejected");
      // One family's servers may be broken while the other's answer.
      if (addresses.length === 0 && failure) throw failure.reason;
      return addresses;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
}

function noneOr(error: NodeJS.ErrnoException): string[] {
  if (nothing.has(error.code)) return [];
  throw error;
}
