import { join } from "node:path";
import type { Logger } from "pino";
import { isAsn } from "../../domain/asn.ts";
import type { AuthKeys } from "./auth/auth-keys.ts";
import { readAuthKeys } from "./auth/read-auth-keys.ts";
import { type ContactAddresses, findContactAddresses, readMaintainers } from "./contacts.ts";
import { holdsAddress, isInOwnNetwork } from "./held-addresses.ts";
import { type EvidenceReaders, createEvidenceReaders } from "./evidence-cache.ts";
import { type FileAccess, fileSystem } from "./file-access.ts";
import { createObjectReader, type RpslObject } from "./objects.ts";
import { createIndexReader, type PrefixReader } from "./prefix-index.ts";
import type { RegistryLocation, RegistrySource } from "./registry-source.ts";
import { type Claim, type RouteEvidence, findRouteEvidence } from "./route-evidence.ts";

export interface RegistryOptions {
  readonly source: RegistrySource;
  readonly maxAgeDays: number;
  readonly clock: () => number;
  /** Domains that the mail server cannot reach; by default none. */
  readonly unreachableDomains?: readonly string[];
  /** Maintainers that keep the registry itself, in upper case; by default only the registry's own. */
  readonly registryMaintainers?: readonly string[];
  readonly log?: Pick<Logger, "warn">;
  /** How files are read; tests count the reads. */
  readonly files?: FileAccess;
}

export type Contacts = { readonly found: false } | ({ readonly found: true } & ContactAddresses);

export type FoundKeys = { readonly found: false } | ({ readonly found: true } & AuthKeys);

export interface RegistryAge {
  /** Days since the last fetch that succeeded; null for a folder that is not a clone, and for a missing one. */
  readonly days: number | null;
  /** Too old for mailing links, or missing. */
  readonly stale: boolean;
}

/** The network's registry. Every call but `findEvidence` reads the files again, all from one location. */
export interface Registry {
  findContacts(asn: string): Promise<Contacts>;
  /** Returns the keys that prove that an AS is a participant's. */
  findKeys(asn: string): Promise<FoundKeys>;
  /**
   * Returns a text that changes with the holder of an AS: its maintainers in alphabetical order, or that it is not in the
   * registry. Null if the registry is missing or outdated.
   */
  findHolder(asn: string): Promise<string | null>;
  /** Whether a tunnel address is registered to the AS. */
  holdsAddress(asn: string, address: string): Promise<boolean>;
  /** Whether an address is in the AS's own network. */
  isInOwnNetwork(asn: string, address: string): Promise<boolean>;
  /**
   * Returns the evidence for each claim, in their order; null if the registry is unreadable or too old, and after the
   * first 200 claims, since each one reads several files. Objects that were read before are not read again while their
   * folders are unchanged.
   */
  findEvidence(claims: readonly Claim[]): Promise<ReadonlyArray<RouteEvidence | null>>;
  readAge(): Promise<RegistryAge>;
  /** As in `RegistrySource`. */
  refresh(): Promise<boolean>;
}

const maxClaims = 200;

const dayMs = 86_400_000;

/** What reads the files of one location. */
interface Readers {
  readonly path: string;
  readonly reader: PrefixReader;
  readonly evidence: EvidenceReaders;
}

export function createRegistry(options: RegistryOptions): Registry {
  const { source, maxAgeDays, clock, log, files = fileSystem } = options;
  const { unreachableDomains = [], registryMaintainers = [] } = options;
  let latest: Readers | null = null;

  async function openReaders(): Promise<Readers | null> {
    const location = await source.locate();
    if (!location) return null;
    const { path, isImmutable } = location;
    if (latest?.path !== path) {
      const folder = { path, isImmutable, files, log, now: () => performance.now() };
      const reader = { read: createObjectReader(folder), readIndex: createIndexReader(folder) };
      latest = { path, reader, evidence: createEvidenceReaders(folder, reader) };
    }
    return latest;
  }

  async function open(): Promise<PrefixReader | null> {
    return (await openReaders())?.reader ?? null;
  }

  async function readAge(): Promise<RegistryAge> {
    const location = await source.locate();
    if (!location || !(await hasAutNums(files, location))) return { days: null, stale: true };
    const { fetchedAt } = location;
    const days = fetchedAt === null ? null : Math.max(0, clock() - fetchedAt) / dayMs;
    return { days, stale: (days ?? 0) > maxAgeDays };
  }

  return {
    findContacts: async (asn) => {
      const reader = await open();
      const autNum = reader && (await readAutNum(reader, asn));
      if (!autNum) return { found: false };
      const contactReader = { read: reader.read, unreachableDomains, registryMaintainers };
      return { found: true, ...(await findContactAddresses(contactReader, autNum)) };
    },
    findKeys: async (asn) => {
      const reader = await open();
      const autNum = reader && (await readAutNum(reader, asn));
      return autNum
        ? { found: true, ...(await readAuthKeys(reader.read, autNum, registryMaintainers)) }
        : { found: false };
    },
    findHolder: async (asn) => {
      const reader = await open();
      if (!reader || (await readAge()).stale) return null;
      const autNum = await readAutNum(reader, asn);
      if (!autNum) return "(not in the registry)";
      // With `registryMaintainers`: otherwise a new one in the profile would change the holder of many ASes and flag their accounts.
      const maintainers = [...new Set(readMaintainers(autNum))].toSorted();
      return maintainers.length === 0 ? "(no maintainer)" : maintainers.join(", ");
    },
    holdsAddress: async (asn, address) => {
      const reader = await open();
      return reader !== null && isAsn(asn) && holdsAddress(reader, asn, address, registryMaintainers);
    },
    isInOwnNetwork: async (asn, address) => {
      const reader = await open();
      return reader !== null && isAsn(asn) && isInOwnNetwork(reader, asn, address, registryMaintainers);
    },
    findEvidence: async (claims) => {
      const readers = await openReaders();
      if (!readers || (await readAge()).stale) return claims.map(() => null);
      const reader = readers.evidence.open();
      const found: Array<RouteEvidence | null> = claims.map(() => null);
      // Sequential, so that a long list does not delay other readers of files.
      for (const [index, claim] of claims.slice(0, maxClaims).entries()) {
        found[index] = await findRouteEvidence(reader, claim).catch(() => null);
      }
      return found;
    },
    readAge,
    refresh: () => source.refresh(),
  };
}

/** Reads the object of an AS; null if it is not in the registry, or the text is not an AS number. */
async function readAutNum({ read }: PrefixReader, asn: string): Promise<RpslObject | null> {
  return isAsn(asn) ? read("aut-num", `AS${asn}`) : null;
}

function hasAutNums(files: FileAccess, { path }: RegistryLocation): Promise<boolean> {
  // The version of a file could be read as well, but not with a slash behind its name.
  return files.readVersion(join(path, "data", "aut-num", "/"), path).then(
    () => true,
    () => false,
  );
}
