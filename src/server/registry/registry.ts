import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isAsn } from "../../domain/asn.ts";
import { type ContactAddresses, findContactAddresses } from "./contacts.ts";
import { holdsAddress } from "./held-addresses.ts";
import { createObjectReader } from "./objects.ts";
import { createIndexReader } from "./prefix-index.ts";
import { type Claim, createCachedReader, type RouteEvidence, findRouteEvidence } from "./route-evidence.ts";

export interface RegistryOptions {
  /** A clone of the registry: the folder that contains `data/`. */
  readonly path: string;
  readonly maxAgeDays: number;
  readonly clock: () => number;
}

export type Contacts = { readonly found: false } | ({ readonly found: true } & ContactAddresses);

export interface RegistryAge {
  /** Days since the last fetch; null for a folder that is not a clone. */
  readonly days: number | null;
  /** Too old for new registrations, or missing. */
  readonly stale: boolean;
}

/** The network's registry. Every call reads the files again. */
export interface Registry {
  findContacts(asn: string): Promise<Contacts>;
  /** Whether a tunnel address is registered to the AS. */
  holdsAddress(asn: string, address: string): Promise<boolean>;
  /**
   * Returns the evidence for each claim, in their order; null if the registry is unreadable or too old, and after the
   * first 200 claims, since each one reads several files.
   */
  findEvidence(claims: readonly Claim[]): Promise<ReadonlyArray<RouteEvidence | null>>;
  readAge(): Promise<RegistryAge>;
}

const maxClaims = 200;

const dayMs = 86_400_000;

export function createRegistry({ path, maxAgeDays, clock }: RegistryOptions): Registry {
  const reader = { read: createObjectReader(path), readIndex: createIndexReader(path) };

  async function age(): Promise<RegistryAge> {
    const fetchedAt =
      (await modifiedAt(join(path, ".git", "FETCH_HEAD"))) ?? (await modifiedAt(join(path, ".git", "HEAD")));
    const days = fetchedAt === null ? null : Math.max(0, clock() - fetchedAt) / dayMs;
    const missing = (await modifiedAt(join(path, "data", "aut-num"))) === null;
    return { days, stale: missing || (days !== null && days > maxAgeDays) };
  }

  return {
    findContacts: async (asn) => {
      const autNum = isAsn(asn) ? await reader.read("aut-num", `AS${asn}`) : null;
      return autNum
        ? { found: true, ...(await findContactAddresses(reader.read, autNum)) }
        : { found: false };
    },
    holdsAddress: async (asn, address) => isAsn(asn) && holdsAddress(reader, asn, address),
    findEvidence: async (claims) => {
      if (claims.length === 0 || (await age()).stale) return claims.map(() => null);
      const cachedReader = createCachedReader(reader);
      const found: Array<RouteEvidence | null> = claims.map(() => null);
      // Sequential, so that a long list does not delay other readers of files.
      for (const [index, claim] of claims.slice(0, maxClaims).entries()) {
        found[index] = await findRouteEvidence(cachedReader, claim).catch(() => null);
      }
      return found;
    },
    readAge: age,
  };
}

async function modifiedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return null;
  }
}
