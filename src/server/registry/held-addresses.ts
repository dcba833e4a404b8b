import { parseAddress } from "../../domain/prefix.ts";
import { readMaintainers } from "./contacts.ts";
import { splitNames, type RpslObject, getValues } from "./objects.ts";
import { getObjectKinds, type PrefixReader, readCovering } from "./prefix-index.ts";

/**
 * Whether an address is registered to an AS: a covering route object names the AS as origin, or the nearest covering
 * address block shares a maintainer with the AS. A larger block belongs to another holder and does not count.
 */
export async function holdsAddress(
  reader: PrefixReader,
  asn: string,
  text: string,
  registryMaintainers: readonly string[] = [],
): Promise<boolean> {
  const address = parseAddress(text);
  const autNum = await reader.read("aut-num", `AS${asn}`);
  if (!address || !autNum) return false;
  const prefix = { ...address, length: address.bits };
  const kinds = getObjectKinds(prefix);

  const routes = await readCovering(reader, kinds.route, prefix);
  if (routes.some(({ object }) => readOrigins(object).includes(asn))) return true;

  const [nearest] = await readCovering(reader, kinds.block, prefix);
  const ownMaintainers = new Set(readMaintainers(autNum, registryMaintainers));
  return (
    nearest !== undefined &&
    readMaintainers(nearest.object).some((maintainer) => ownMaintainers.has(maintainer))
  );
}

/**
 * Whether an address is in the AS's own network: the nearest covering block shares a maintainer with the AS and is not open to
 * anyone, or a route object within that block names the AS as origin. So a route object of a large block does not cover the blocks of
 * other holders in it.
 */
export async function isInOwnNetwork(
  reader: PrefixReader,
  asn: string,
  text: string,
  registryMaintainers: readonly string[] = [],
): Promise<boolean> {
  const address = parseAddress(text);
  const autNum = await reader.read("aut-num", `AS${asn}`);
  if (!address || !autNum) return false;
  const prefix = { ...address, length: address.bits };
  const kinds = getObjectKinds(prefix);

  const [nearest] = await readCovering(reader, kinds.block, prefix);
  const ownMaintainers = new Set(readMaintainers(autNum, registryMaintainers));
  const isOwn =
    nearest && readMaintainers(nearest.object).some((maintainer) => ownMaintainers.has(maintainer));
  const isOpen = nearest && getValues(nearest.object, "policy").some((policy) => /^open\b/i.test(policy));
  if (isOwn === true && isOpen !== true) return true;

  const routes = await readCovering(reader, kinds.route, prefix);
  return routes.some(
    ({ length, object }) => length >= (nearest?.length ?? 0) && readOrigins(object).includes(asn),
  );
}

/** Returns the AS numbers that a route object names as origin. */
export function readOrigins(object: RpslObject): readonly string[] {
  return splitNames(getValues(object, "origin")).flatMap(
    (name) => /^AS([1-9][0-9]{0,9})$/i.exec(name)?.[1] ?? [],
  );
}
