import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isAsn } from "../../../domain/asn.ts";
import { contactsOf } from "./contacts.ts";
import { holdsAddress } from "./held-addresses.ts";
import { objectReader } from "./objects.ts";
import { type Claim, rememberingReader, type RouteEvidence, routeEvidence } from "./route-evidence.ts";

export interface RegistryOptions {
  /** A clone of the registry: the folder that holds `data/`. */
  readonly path: string;
  readonly maxAgeDays: number;
  readonly clock: () => number;
}

export type Contacts =
  | { readonly found: false }
  /** Mail addresses that speak for the AS; empty when the registry names none that is usable. */
  | { readonly found: true; readonly addresses: readonly string[] };

export interface RegistryAge {
  /** Since the last fetch; null for a folder that is no clone. */
  readonly days: number | null;
  /** Too old for new registrations, or not there. */
  readonly stale: boolean;
}

/** What the network's registry says. Every answer is read from the files at that moment. */
export interface Registry {
  contacts(asn: string): Promise<Contacts>;
  /** Whether a tunnel address is registered to the AS. */
  holds(asn: string, address: string): Promise<boolean>;
  /**
   * What it says of each claim, in their order; null where it cannot be read or is too old to be believed, and
   * beyond the first 200: each costs some dozens of file names to try.
   */
  evidence(claims: readonly Claim[]): Promise<ReadonlyArray<RouteEvidence | null>>;
  age(): Promise<RegistryAge>;
}

const claimsLookedUp = 200;

const dayMs = 86_400_000;

export function createRegistry({ path, maxAgeDays, clock }: RegistryOptions): Registry {
  const read = objectReader(path);

  async function age(): Promise<RegistryAge> {
    const fetchedAt =
      (await modifiedAt(join(path, ".git", "FETCH_HEAD"))) ?? (await modifiedAt(join(path, ".git", "HEAD")));
    const days = fetchedAt === null ? null : Math.max(0, clock() - fetchedAt) / dayMs;
    const missing = (await modifiedAt(join(path, "data", "aut-num"))) === null;
    return { days, stale: missing || (days !== null && days > maxAgeDays) };
  }

  return {
    contacts: async (asn) => {
      const autNum = isAsn(asn) ? await read("aut-num", `AS${asn}`) : null;
      return autNum ? { found: true, addresses: await contactsOf(read, autNum) } : { found: false };
    },
    holds: async (asn, address) => isAsn(asn) && holdsAddress(read, asn, address),
    evidence: async (claims) => {
      if (claims.length === 0 || (await age()).stale) return claims.map(() => null);
      const readOnce = rememberingReader(read);
      const found: Array<RouteEvidence | null> = claims.map(() => null);
      // One after the other: whoever else wants a file need not wait for all of a long list.
      for (const [index, claim] of claims.slice(0, claimsLookedUp).entries()) {
        found[index] = await routeEvidence(readOnce, claim).catch(() => null);
      }
      return found;
    },
    age,
  };
}

async function modifiedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return null;
  }
}
