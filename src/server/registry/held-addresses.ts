import { type Address, formatAddress, networkOf, parseAddress } from "../../domain/prefix.ts";
import { readMaintainers } from "./contacts.ts";
import { type ReadObject, splitNames, type RpslObject, getValues } from "./objects.ts";

/**
 * Whether an address is registered to an AS: a covering route object names the AS as origin, or the nearest covering
 * address block shares a maintainer with the AS. A larger block belongs to another holder and does not count.
 */
export async function holdsAddress(read: ReadObject, asn: string, text: string): Promise<boolean> {
  const address = parseAddress(text);
  const autNum = await read("aut-num", `AS${asn}`);
  if (!address || !autNum) return false;
  const names = listCoveringNames(address);
  const { route, block } = getObjectKinds(address);

  const routes = await Promise.all(names.map((name) => read(route, name)));
  if (routes.some((object) => object !== null && readOrigins(object).includes(asn))) return true;

  const blocks = await Promise.all(names.map((name) => read(block, name)));
  const nearest = blocks.find((object) => object !== null) ?? null;
  const ownMaintainers = new Set(readMaintainers(autNum));
  return nearest !== null && readMaintainers(nearest).some((maintainer) => ownMaintainers.has(maintainer));
}

/** Returns the file names of all prefixes that cover an address, the longest first. There are at most 129, so no index is needed. */
export function listCoveringNames(address: Address, longest: number = address.bits): readonly string[] {
  return Array.from({ length: longest + 1 }, (_, index) => {
    const length = longest - index;
    return `${formatAddress({ ...address, value: networkOf(address, length) })}_${length}`;
  });
}

/** Returns the object kinds of routes and address blocks in an address's family. */
export function getObjectKinds({ bits }: Pick<Address, "bits">) {
  return bits === 32
    ? ({ route: "route", block: "inetnum" } as const)
    : ({ route: "route6", block: "inet6num" } as const);
}

/** Returns the AS numbers that a route object names as origin. */
export function readOrigins(object: RpslObject): readonly string[] {
  return splitNames(getValues(object, "origin")).flatMap(
    (name) => /^AS([1-9][0-9]{0,9})$/i.exec(name)?.[1] ?? [],
  );
}
