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
  const { route, block } = kindsOf(address);

  const routes = await Promise.all(names.map((name) => read(route, name)));
  if (routes.some((object) => object !== null && originsOf(object).includes(asn))) return true;

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

/** What route objects and address blocks of an address's family are called. */
export function kindsOf({ bits }: Pick<Address, "bits">) {
  return bits === 32
    ? ({ route: "route", block: "inetnum" } as const)
    : ({ route: "route6", block: "inet6num" } as const);
}

/** AS numbers that a route object names as origin. */
export function originsOf(object: RpslObject): readonly string[] {
  return namesIn(valuesOf(object, "origin")).flatMap(
    (name) => /^AS([1-9][0-9]{0,9})$/i.exec(name)?.[1] ?? [],
  );
}
