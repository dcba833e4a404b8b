import type { Finding } from "../../domain/findings/findings.ts";
import { findEndpointFault, type ProviderContext } from "../../domain/peering/peering-rules.ts";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";
import type { Clock } from "../clock.ts";
import { chooseEndpoint, type EndpointChoice } from "./choose-endpoint.ts";

/**
 * Resolves a hostname to canonical addresses in order of preference; empty if it has none. Rejects if the
 * name servers cannot be queried. The addresses are not trusted: the caller validates them.
 */
export type Resolver = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export type EndpointRules = ProviderContext;

export type ResolvedEndpoint =
  | ({ readonly ok: true } & EndpointChoice)
  /** `refusedAddress` is for the agent's log only, absent if the name has none. */
  | { readonly ok: false; readonly finding: Finding; readonly refusedAddress?: string };

export interface EndpointLookup {
  readonly resolver: Resolver;
  readonly rules: EndpointRules;
  readonly clock: Clock;
}

const timeoutMs = 5000;

/**
 * Resolves an endpoint's hostname to a validated literal address: one that is allowed as an endpoint, as `chooseEndpoint`
 * chooses it.
 */
export async function resolveEndpoint(
  host: string,
  previous: EndpointChoice | null,
  { resolver, rules, clock }: EndpointLookup,
  isSilent = false,
): Promise<ResolvedEndpoint> {
  const found = parseAddress(host) ? [host] : await lookUp(host, resolver, clock);
  if (found === "timeout")
    return refused({ code: "endpoint-resolver-timeout", facts: { host, seconds: timeoutMs / 1000 } });
  if (found === "failed") return refused({ code: "endpoint-resolver-error", facts: { host } });
  const addresses = found.flatMap((text) => parseAddress(text) ?? []);
  const usable = addresses.filter((address) => findEndpointFault(address, rules) === null).map(formatAddress);
  const [first, ...others] = usable;
  if (first === undefined) {
    const [address] = addresses;
    const code = address && findEndpointFault(address, rules);
    if (!address || !code) return refused({ code: "endpoint-unresolved", facts: { host } });
    return { ...refused({ code, facts: { host } }), refusedAddress: formatAddress(address) };
  }
  return { ok: true, ...chooseEndpoint([first, ...others], previous, isSilent) };
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

function refused(finding: Finding) {
  return { ok: false, finding } as const;
}
