import { messages } from "../../../contract/failure.ts";
import { isAsn } from "../../../domain/asn.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Outbox } from "../mail/outbox.ts";
import type { Registry } from "../registry/registry.ts";
import { findPasswordHash } from "./accounts.ts";
import { clientKey, type Limits } from "./limits.ts";
import { linkMail } from "./link-mail.ts";
import { issueToken, type TokenPurpose } from "./tokens.ts";

export interface RegistrationDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "asn" | "name" | "publicUrl" | "supportAddress">;
  readonly registry: Pick<Registry, "contacts" | "age">;
  readonly outbox: Pick<Outbox, "enqueue" | "wake">;
  readonly accountLimits: Pick<Limits, "mailPerAs" | "mailPerClient">;
  readonly clock: () => number;
}

/**
 * Mails a link that sets the password of an AS to every address that the registry names for it. Throws
 * `Refusal` 404, 409, 422, 429 or 503; with any of them no mail was written and older links still work.
 */
export async function requestLink(
  deps: RegistrationDeps,
  asn: string,
  purpose: TokenPurpose,
  clientAddress: string,
): Promise<void> {
  const { db, profile, outbox, accountLimits } = deps;
  await accountLimits.mailPerClient.take(clientKey(clientAddress));
  refuseUnusableAsn(asn, profile.asn);
  await refuseWrongPurpose(db, asn, purpose);
  const addresses = await registeredAddresses(deps, asn, purpose);
  await accountLimits.mailPerAs.take(asn);
  await db.transaction().execute(async (tx) => {
    const token = await issueToken(tx, { asn, purpose }, deps.clock());
    for (const to of addresses) await outbox.enqueue(tx, linkMail(profile, { to, asn, purpose, token }));
  });
  outbox.wake();
}

function refuseUnusableAsn(asn: string, own: string): void {
  if (!isAsn(asn)) {
    throw new Refusal(422, {
      message: 'This is not an AS number. Write it in digits alone, such as 4242420001, without "AS".',
      field: "asn",
    });
  }
  if (asn === own) {
    throw new Refusal(422, {
      message: `AS${own} is our own. Enter the AS number of your network.`,
      field: "asn",
    });
  }
}

async function refuseWrongPurpose(db: Db, asn: string, purpose: TokenPurpose): Promise<void> {
  const exists = (await findPasswordHash(db, asn)) !== null;
  if (exists && purpose === "registration") throw new Refusal(409, { message: messages.userExists });
  if (!exists && purpose === "reset") throw new Refusal(404, { message: messages.asNotFound });
}

async function registeredAddresses(
  { registry, profile }: RegistrationDeps,
  asn: string,
  purpose: TokenPurpose,
): Promise<readonly string[]> {
  const contacts = await registry.contacts(asn);
  // A reset goes on with an old copy: the AS was in the registry when it registered.
  const needsFresh = purpose === "registration" || !contacts.found;
  if (needsFresh && (await registry.age()).stale) {
    throw new Refusal(503, {
      message:
        "Our copy of the network's registry is missing or too old, so we cannot tell whom to write to. " +
        `Nothing was changed; try again later or write to ${profile.supportAddress}.`,
    });
  }
  if (!contacts.found) throw new Refusal(404, { message: messages.asNotFound });
  if (contacts.addresses.length === 0) {
    throw new Refusal(422, {
      message:
        `The registry names no mail address for AS${asn}. Add "e-mail:" to the person object that its ` +
        `admin-c names, wait until the change is merged, and try again.`,
      field: "asn",
    });
  }
  return contacts.addresses;
}
