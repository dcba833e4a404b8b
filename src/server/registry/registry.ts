import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isAsn } from "../../domain/asn.ts";
import { type ContactAddresses, findContactAddresses, readMaintainers } from "./contacts.ts";
import { holdsAddress } from "./held-addresses.ts";
import { createObjectReader } from "./objects.ts";
import { createIndexReader, type PrefixReader } from "./prefix-index.ts";
import type { RegistryLocation, RegistrySource } from "./registry-source.ts";
import { type Claim, createCachedReader, type RouteEvidence, findRouteEvidence } from "./route-evidence.ts";

export interface RegistryOptions {
  readonly source: RegistrySource;
  readonly maxAgeDays: number;
  readonly clock: () => number;
}

export type Contacts = { readonly found: false } | ({ readonly found: true } & ContactAddresses);

export interface RegistryAge {
  /** Days since the last fetch that succeeded; null for a folder that is not a clone, and for a missing one. */
  readonly days: number | null;
  /** Too old for mailing links, or missing. */
  readonly stale: boolean;
}

/** The network's registry. Every call reads the files again, all from one location. */
export interface Registry {
  findContacts(asn: string): Promise<Contacts>;
  /**
   * Returns a text that changes with the holder of an AS: its maintainers in alphabetical order, or that it is not in the
   * registry. Null if the registry is missing or outdated.
   */
  findHolder(asn: string): Promise<string | null>;
  /** Whether a tunnel address is registered to the AS. */
  holdsAddress(asn: string, address: string): Promise<boolean>;
  /**
   * Returns the evidence for each claim, in their order; null if the registry is unreadable or too old, and after the
   * first 200 claims, since each one reads several files.
   */
  findEvidence(claims: readonly Claim[]): Promise<ReadonlyArray<RouteEvidence | null>>;
  readAge(): Promise<RegistryAge>;
  /** As in `RegistrySource`. */
  refresh(): Promise<boolean>;
}

const maxClaims = 200;

const dayMs = 86_400_000;

export function createRegistry({ source, maxAgeDays, clock }: RegistryOptions): Registry {
  let latest: { readonly path: string; readonly reader: PrefixReader } | null = null;

  async function open(): Promise<PrefixReader | null> {
    const location = await source.locate();
    if (!location) return null;
    const { path } = location;
    if (latest?.path !== path) {
      latest = { path, reader: { read: createObjectReader(path), readIndex: createIndexReader(path) } };
    }
    return latest.reader;
  }

  async function readAge(): Promise<RegistryAge> {
    const location = await source.locate();
    if (!location || !(await hasAutNums(location))) return { days: null, stale: true };
    const { fetchedAt } = location;
    const days = fetchedAt === null ? null : Math.max(0, clock() - fetchedAt) / dayMs;
    return { days, stale: days !== null && days > maxAgeDays };
  }

  return {
    findContacts: async (asn) => {
      const reader = await open();
      const autNum = reader && isAsn(asn) ? await reader.read("aut-num", `AS${asn}`) : null;
      return reader && autNum
        ? { found: true, ...(await findContactAddresses(reader.read, autNum)) }
        : { found: false };
    },
    findHolder: async (asn) => {
      const reader = await open();
      if (!reader || (await readAge()).stale) return null;
      const autNum = isAsn(asn) ? await reader.read("aut-num", `AS${asn}`) : null;
      if (!autNum) return "(not in the registry)";
      const maintainers = [...new Set(readMaintainers(autNum))].toSorted();
      return maintainers.length === 0 ? "(no maintainer)" : maintainers.join(", ");
    },
    holdsAddress: async (asn, address) => {
      const reader = await open();
      return reader !== null && isAsn(asn) && holdsAddress(reader, asn, address);
    },
    findEvidence: async (claims) => {
      const reader = await open();
      if (!reader || claims.length === 0 || (await readAge()).stale) return claims.map(() => null);
      const cachedReader = createCachedReader(reader);
      const found: Array<RouteEvidence | null> = claims.map(() => null);
      // Sequential, so that a long list does not delay other readers of files.
      for (const [index, claim] of claims.slice(0, maxClaims).entries()) {
        found[index] = await findRouteEvidence(cachedReader, claim).catch(() => null);
      }
      return found;
    },
    readAge,
    refresh: () => source.refresh(),
  };
}

function hasAutNums({ path }: RegistryLocation): Promise<boolean> {
  return stat(join(path, "data", "aut-num")).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
