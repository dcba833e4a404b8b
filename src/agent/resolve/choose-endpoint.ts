import { type Family, familyOf } from "../../domain/peering/bgp-sessions.ts";

/** The address to which the node sends, of those that a hostname has. */
export interface EndpointChoice {
  readonly address: string;
  /** The preferred address family, if the other one is in use because this one had no handshake. */
  readonly silentFamily?: Family | undefined;
}

/** Returns what was chosen for a peering; null without an endpoint. */
export function choiceOf({
  endpointAddress: address,
  silentFamily,
}: {
  readonly endpointAddress: string | null;
  readonly silentFamily?: Family | undefined;
}): EndpointChoice | null {
  return address === null ? null : { address, silentFamily };
}

/**
 * Chooses one of a hostname's addresses, which are in order of preference and at least one. The previous address is kept while
 * the name has it, and its address family while the name has that: other changes would move a tunnel without need.
 *
 * @param isSilent whether the previous address had time for a handshake and there was none: the other family is tried then
 */
export function chooseEndpoint(
  [first, ...others]: readonly [string, ...string[]],
  previous: EndpointChoice | null,
  isSilent: boolean,
): EndpointChoice {
  const addresses = [first, ...others];
  const family = previous && familyOf(previous.address);
  const ofFamily = addresses.filter((address) => familyOf(address) === family);
  const [firstOfFamily] = ofFamily;
  if (previous === null || firstOfFamily === undefined) return { address: first };
  const isKept = ofFamily.includes(previous.address);
  const other = addresses.find((address) => familyOf(address) !== family);
  if (isSilent && isKept && other !== undefined) {
    const preferred = familyOf(first);
    return preferred === family ? { address: other, silentFamily: preferred } : { address: other };
  }
  const address = isKept ? previous.address : firstOfFamily;
  const { silentFamily } = previous;
  return silentFamily === undefined || other === undefined ? { address } : { address, silentFamily };
}
