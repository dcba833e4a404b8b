import { checkEndpointAddress, type ProviderContext } from "../../domain/peering/peering-rules.ts";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";
import type { Clock } from "../clock.ts";

/**
 * Resolves a hostname to canonical addresses in order of preference; empty if it has none. Rejects if the
 * name servers cannot be queried. The addresses are not trusted: the caller validates them.
 */
export type Resolver = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export type EndpointRules = ProviderContext;

export type ResolvedEndpoint =
  | { readonly ok: true; readonly address: string }
  /** `reason` is a sentence that starts with the hostname. */
  | { readonly ok: false; readonly reason: string };

export interface EndpointLookup {
  readonly resolver: Resolver;
  readonly rules: EndpointRules;
  readonly clock: Clock;
}

const timeoutMs = 5000;

/**
 * Resolves an endpoint's hostname to a validated literal address: the first one that is allowed as an
 * endpoint, or `current` if the name still has it, so that a name with several addresses does not make the
 * tunnel change its endpoint.
 */
export async function resolveEndpoint(
  host: string,
  current: string | null,
  { resolver, rules, clock }: EndpointLookup,
): Promise<ResolvedEndpoint> {
  const found = parseAddress(host) ? [host] : await lookUp(host, resolver, clock);
  if (found === "timeout") {
    return refused(
      `${host} could not be resolved within ${timeoutMs / 1000} s: its name servers do not respond.`,
    );
  }
  if (found === "failed") return refused(`${host} could not be resolved: its name servers return an error.`);
  const addresses = found.flatMap((text) => parseAddress(text) ?? []);
  if (addresses.length === 0) return refused(`${host} does not resolve to an address.`);
  const faults = addresses.map((address) => checkEndpointAddress(address, rules));
  const usable = addresses.filter((_, index) => faults[index] === null).map(formatAddress);
  const [first] = usable;
  if (first === undefined) {
    const [address] = addresses.map(formatAddress);
    const subject = address === host ? host : `${host} resolves to ${address}, which`;
    return refused(`${subject} ${faults[0]}.`);
  }
  return { ok: true, address: current !== null && usable.includes(current) ? current : first };
}

async function lookUp(
  host: string,
  resolver: Resolver,
  clock: Clock,
): Promise<readonly string[] | "timeout" | "failed"> {
  const finished = new AbortController();
  try {
    const timedOut = clock.sleep(timeoutMs, finished.signal).then(() => "timeout" as const);
    return await Promise.race([resolver(host, finished.signal), timedOut]);
  } catch {
    return "failed";
  } finally {
    finished.abort();
  }
}

function refused(reason: string): ResolvedEndpoint {
  return { ok: false, reason };
}
