import { type PeeringContext, resolvedEndpointFault } from "../../domain/peering-rules.ts";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";
import type { Clock } from "../clock.ts";
import type { Resolver } from "./resolver.ts";

export type EndpointRules = Pick<
  PeeringContext,
  "allowDocumentation" | "providerEndpoints" | "providerPrefixes"
>;

export type ResolvedEndpoint =
  | { readonly ok: true; readonly address: string }
  /** `reason` is a sentence that starts with the host. */
  | { readonly ok: false; readonly reason: string };

export interface EndpointLookup {
  readonly resolver: Resolver;
  readonly rules: EndpointRules;
  readonly clock: Clock;
}

const limitMs = 5000;

/**
 * The literal address behind an endpoint's host, checked. Of several the first that may be an endpoint,
 * except that `current` is kept while the name still has it: a name with many addresses must not make a
 * tunnel wander.
 */
export async function resolveEndpoint(
  host: string,
  current: string | null,
  { resolver, rules, clock }: EndpointLookup,
): Promise<ResolvedEndpoint> {
  const found = parseAddress(host) ? [host] : await lookUp(host, resolver, clock);
  if (found === "late") {
    return refused(`${host} was not resolved within ${limitMs / 1000} s: its name servers do not answer.`);
  }
  if (found === "failed")
    return refused(`${host} could not be resolved: its name servers answer with an error.`);
  const addresses = found.flatMap((text) => parseAddress(text) ?? []);
  if (addresses.length === 0) return refused(`${host} does not resolve to an address.`);
  const faults = addresses.map((address) => resolvedEndpointFault(address, rules));
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
): Promise<readonly string[] | "late" | "failed"> {
  const end = new AbortController();
  try {
    const late = clock.sleep(limitMs, end.signal).then(() => "late" as const);
    return await Promise.race([resolver(host, end.signal), late]);
  } catch {
    return "failed";
  } finally {
    end.abort();
  }
}

function refused(reason: string): ResolvedEndpoint {
  return { ok: false, reason };
}
