/** What the registry says about a prefix and the AS that announces it. */
import { type Prefix } from "../../../domain/prefix.ts";
import { maintainersOf } from "./contacts.ts";
import { coveringNames, kindsOf, originsOf } from "./held-addresses.ts";
import type { ObjectKind, ReadObject } from "./objects.ts";
import { type RpslObject, valuesOf } from "./rpsl.ts";

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
  /** Null where it has none, or none that is a number. */
  readonly maxLength: number | null;
  readonly maintainers: readonly string[];
}

export interface RouteEvidence {
  /** Objects that cover the prefix, the nearest first. */
  readonly routes: readonly RouteObject[];
  /**
   * The nearest address block that covers it, "inetnum/172.20.1.0_26", and who maintains it: nobody where it
   * is the registry's own.
   */
  readonly block: { readonly name: string; readonly maintainers: readonly string[] } | null;
  /** Who maintains the origin AS; null where the registry does not know it. */
  readonly originMaintainers: readonly string[] | null;
}

/** The name of the route object for exactly this prefix, there or not. */
export function routeObjectName(prefix: Prefix): string {
  const [name = ""] = coveringNames(prefix, prefix.length);
  return `${kindsOf(prefix).route}/${name}`;
}

/** The name of the address block of exactly this prefix, there or not. */
export function blockName(prefix: Prefix): string {
  const [name = ""] = coveringNames(prefix, prefix.length);
  return `${kindsOf(prefix).block}/${name}`;
}

/** Asks for the names of the covering prefixes alone: at most 65 of each kind where 64 is the longest prefix. */
export async function routeEvidence(read: ReadObject, { prefix, origin }: Claim): Promise<RouteEvidence> {
  const names = coveringNames(prefix, prefix.length);
  const kinds = kindsOf(prefix);
  const [routes, blocks, autNum] = await Promise.all([
    covering(read, kinds.route, names),
    covering(read, kinds.block, names),
    read("aut-num", `AS${origin}`),
  ]);
  const [block] = blocks;
  return {
    routes: routes.map(({ name, object }) => ({
      name: `${kinds.route}/${name}`,
      length: Number(name.slice(name.lastIndexOf("_") + 1)),
      origins: originsOf(object),
      maxLength: lengthIn(object),
      maintainers: namedMaintainers(object),
    })),
    block: block
      ? { name: `${kinds.block}/${block.name}`, maintainers: namedMaintainers(block.object) }
      : null,
    originMaintainers: autNum ? namedMaintainers(autNum) : null,
  };
}

/** Reads each object once, absent ones too. */
export function rememberingReader(read: ReadObject): ReadObject {
  const known = new Map<string, Promise<RpslObject | null>>();
  return (kind, name) => {
    const key = `${kind}/${name}`;
    const reading = known.get(key) ?? read(kind, name);
    known.set(key, reading);
    return reading;
  };
}

async function covering(read: ReadObject, kind: ObjectKind, names: readonly string[]) {
  const objects = await Promise.all(names.map((name) => read(kind, name)));
  return names.flatMap((name, index) => {
    const object = objects[index];
    return object ? { name, object } : [];
  });
}

/** Anybody can write an object: what is no name is not shown to others as one. */
function namedMaintainers(object: RpslObject): readonly string[] {
  return maintainersOf(object).filter((name) => /^[A-Z0-9][A-Z0-9_-]{0,79}$/.test(name));
}

function lengthIn(object: RpslObject): number | null {
  const [value] = valuesOf(object, "max-length");
  return value !== undefined && /^[0-9]{1,3}$/.test(value) ? Number(value) : null;
}
