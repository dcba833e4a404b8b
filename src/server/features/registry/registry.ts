import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isAsn } from "../../../domain/asn.ts";
import { contactsOf } from "./contacts.ts";
import { holdsAddress } from "./held-addresses.ts";
import { objectReader } from "./objects.ts";

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
  age(): Promise<RegistryAge>;
}

const dayMs = 86_400_000;

export function createRegistry({ path, maxAgeDays, clock }: RegistryOptions): Registry {
  const read = objectReader(path);

  return {
    contacts: async (asn) => {
      const autNum = isAsn(asn) ? await read("aut-num", `AS${asn}`) : null;
      return autNum ? { found: true, addresses: await contactsOf(read, autNum) } : { found: false };
    },
    holds: async (asn, address) => isAsn(asn) && holdsAddress(read, asn, address),
    age: async () => {
      const fetchedAt =
        (await modifiedAt(join(path, ".git", "FETCH_HEAD"))) ??
        (await modifiedAt(join(path, ".git", "HEAD")));
      const days = fetchedAt === null ? null : Math.max(0, clock() - fetchedAt) / dayMs;
      const missing = (await modifiedAt(join(path, "data", "aut-num"))) === null;
      return { days, stale: missing || (days !== null && days > maxAgeDays) };
    },
  };
}

async function modifiedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return null;
  }
}
