/** What holds before an AS gets a token that sets its password, whatever proves that it is the participant's. */
import { isAsn } from "#domain/asn.ts";
import { HttpError, errorMessages } from "#contract/http-error.ts";
import type { Profile } from "../../config/profile.ts";
import type { AppContext } from "../../context.ts";
import type { Db } from "../../db/open.ts";
import { flagIfChanged } from "./account-holders.ts";
import { findPasswordHash, type TokenPurpose } from "./accounts.ts";
import { findBlock } from "./blocks.ts";

export type OwnershipContext = Pick<AppContext, "db" | "profile" | "registry" | "clock">;

/** What a refusal leaves undone: "we sent no link". */
type Consequence = string;

/** Throws `HttpError` 422 for a text that is no AS number, and for the provider's. */
export function assertUsableAsn(asn: string, providerAsn: string): void {
  if (!isAsn(asn)) {
    throw new HttpError(422, {
      message: "This is not an AS number. Enter its digits, such as 4242420001.",
      field: "asn",
    });
  }
  if (asn === providerAsn) {
    throw new HttpError(422, {
      message: `AS${providerAsn} is our own. Enter the AS number of your network.`,
      field: "asn",
    });
  }
}

/** Throws `HttpError` 403 for a blocked AS, without the reason: anyone can ask about any AS. */
export async function assertNotBlocked(
  { db, profile }: Pick<OwnershipContext, "db" | "profile">,
  asn: string,
  consequence: Consequence,
): Promise<void> {
  if ((await findBlock(db, asn)) === null) return;
  throw new HttpError(403, {
    message: `AS${asn} is blocked, so ${consequence}. Write to ${profile.supportAddress}.`,
    field: "asn",
  });
}

/** Throws `HttpError` 409 for a registration of an AS with an account, and 404 for a reset without one. */
export async function assertPurposeFits(db: Db, asn: string, purpose: TokenPurpose): Promise<void> {
  const exists = (await findPasswordHash(db, asn)) !== null;
  if (exists && purpose === "registration") throw new HttpError(409, { message: errorMessages.userExists });
  if (!exists && purpose === "reset") throw new HttpError(404, { message: errorMessages.asNotFound });
}

/**
 * Throws `HttpError` 503 if the registry is too old, and if it cannot be fetched for access to an existing account: the AS may
 * have another holder since the last fetch.
 */
export async function assertCurrentRegistry(
  { registry, profile }: Pick<OwnershipContext, "registry" | "profile">,
  asn: string,
  isAccess: boolean,
): Promise<void> {
  if (isAccess && !(await registry.refresh())) {
    throw new HttpError(503, {
      message:
        `We cannot reach the network's registry right now, so we cannot check who holds AS${asn}. ` +
        `Nothing was changed. Try again later or write to ${profile.supportAddress}.`,
    });
  }
  if ((await registry.readAge()).stale) throw staleRegistryError(profile);
}

/** Returns the holder of an AS. Throws `HttpError` 403 for an account whose AS has another one, and 503 without a registry. */
export async function readVerifiedHolder(
  { db, profile, registry, clock }: OwnershipContext,
  asn: string,
  consequence: Consequence,
): Promise<string> {
  const holder = await registry.findHolder(asn);
  if (holder === null) throw staleRegistryError(profile);
  if (await flagIfChanged(db, { asn, holder }, clock())) {
    throw new HttpError(403, {
      message:
        `The registry's entry of AS${asn} has changed since this account was verified, so ${consequence}. ` +
        `The peerings keep running. Write to ${profile.supportAddress}.`,
    });
  }
  return holder;
}

function staleRegistryError({ supportAddress }: Pick<Profile, "supportAddress">): HttpError {
  return new HttpError(503, {
    message:
      "Our copy of the network's registry is missing or outdated, so we cannot look up who holds the AS. " +
      `Nothing was changed. Try again later or write to ${supportAddress}.`,
  });
}
