import { type Address, formatAddress, networkOf, parseAddress } from "../../../domain/prefix.ts";
import { maintainersOf } from "./contacts.ts";
import type { ReadObject } from "./objects.ts";
import { namesIn, type RpslObject, valuesOf } from "./rpsl.ts";

/**
 * Whether an address is registered to an AS: a covering route object names it as origin, or the nearest
 * covering address block has a maintainer that maintains the AS too. A block further out is a larger
 * holder's and says nothing.
 */
export async function holdsAddress(read: ReadObject, asn: string, text: string): Promise<boolean> {
  const address = parseAddress(text);
  const autNum = await read("aut-num", `AS${asn}`);
  if (!address || !autNum) return false;
  const names = coveringNames(address);
  const [route, block] =
    address.bits === 32 ? (["route", "inetnum"] as const) : (["route6", "inet6num"] as const);

  const routes = await Promise.all(names.map((name) => read(route, name)));
  if (routes.some((object) => object !== null && hasOrigin(object, asn))) return true;

  const blocks = await Promise.all(names.map((name) => read(block, name)));
  const nearest = blocks.find((object) => object !== null) ?? null;
  const ours = new Set(maintainersOf(autNum));
  return nearest !== null && maintainersOf(nearest).some((maintainer) => ours.has(maintainer));
}

/**
 * File names of every prefix that covers an address, from the longest that is asked for: at most 129, so no index
 * is needed.
 */
export function coveringNames(address: Address, longest: number = address.bits): readonly string[] {
  return Array.from({ length: longest + 1 }, (_, index) => {
    const length = longest - index;
    return `${formatAddress({ ...address, value: networkOf(address, length) })}_${length}`;
  });
}

function hasOrigin(object: RpslObject, asn: string): boolean {
  return namesIn(valuesOf(object, "origin")).some((origin) => origin.toUpperCase() === `AS${asn}`);
}
