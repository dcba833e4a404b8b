/** The registry's evidence about a prefix and the AS that announces it. */
import { type Prefix } from "../../domain/prefix.ts";
import { readMaintainers } from "./contacts.ts";
import { readOrigins } from "./held-addresses.ts";
import { type RpslObject, getValues } from "./objects.ts";
import { formatPrefixName, getObjectKinds, type PrefixReader, readCovering } from "./prefix-index.ts";

export interface Claim {
  readonly prefix: Prefix;
  /** AS number of the origin. */
  readonly origin: string;
}

export interface RouteObject {
  /** "route/172.20.1.0_26" */
  readonly name: string;
  /** The prefix length of the object itself. */
  readonly length: number;
  /** AS numbers, in the order of the file. */
  readonly origins: readonly string[];
  /** Null if it is missing or not a number. */
  readonly maxLength: number | null;
  readonly maintainers: readonly string[];
}

export interface RouteEvidence {
  /** Route objects that cover the prefix, the nearest first. */
  readonly routes: readonly RouteObject[];
  /**
   * The nearest covering address block, "inetnum/172.20.1.0_26", and its maintainers; none if it is unallocated
   * registry space.
   */
  readonly block: { readonly name: string; readonly maintainers: readonly string[] } | null;
  /** The maintainers of the origin AS; null if the registry does not contain it. */
  readonly originMaintainers: readonly string[] | null;
}

/** Returns the name of the route object for exactly this prefix, whether it exists or not. */
export function formatRouteObjectName(prefix: Prefix): string {
  return `${getObjectKinds(prefix).route}/${formatPrefixName(prefix)}`;
}

/** Returns the name of the address block of exactly this prefix, whether it exists or not. */
export function formatBlockName(prefix: Prefix): string {
  return `${getObjectKinds(prefix).block}/${formatPrefixName(prefix)}`;
}

/** Reads the objects of the covering prefixes and of the origin. */
export async function findRouteEvidence(
  reader: PrefixReader,
  { prefix, origin }: Claim,
): Promise<RouteEvidence> {
  const kinds = getObjectKinds(prefix);
  const [routes, blocks, autNum] = await Promise.all([
    readCovering(reader, kinds.route, prefix),
    readCovering(reader, kinds.block, prefix),
    reader.read("aut-num", `AS${origin}`),
  ]);
  const [block] = blocks;
  return {
    routes: routes.map(({ name, length, object }) => ({
      name: `${kinds.route}/${name}`,
      length,
      origins: readOrigins(object),
      maxLength: readMaxLength(object),
      maintainers: readValidMaintainers(object),
    })),
    block: block
      ? { name: `${kinds.block}/${block.name}`, maintainers: readValidMaintainers(block.object) }
      : null,
    originMaintainers: autNum ? readValidMaintainers(autNum) : null,
  };
}

/** Anyone can write an object, so values that are not valid names are dropped. */
function readValidMaintainers(object: RpslObject): readonly string[] {
  return readMaintainers(object).filter((name) => /^[A-Z0-9][A-Z0-9_-]{0,79}$/.test(name));
}

function readMaxLength(object: RpslObject): number | null {
  const [value] = getValues(object, "max-length");
  return value !== undefined && /^[0-9]{1,3}$/.test(value) ? Number(value) : null;
}
