import { isAsn } from "../../../domain/asn.ts";
import { toClientKey } from "../../api/rate-limits.ts";
import { HttpError, errorMessages } from "../../../contract/http-error.ts";
import type { AppContext } from "../../context.ts";
import type { Db } from "../../db/open.ts";
import { findPasswordHash, issueToken, type TokenPurpose } from "./accounts.ts";
import { renderLinkMail } from "./link-mail.ts";

export type RegistrationContext = Pick<
  AppContext,
  "db" | "profile" | "registry" | "mailOutbox" | "rateLimits" | "clock"
>;

/**
 * Mails a link that sets the password of an AS to every address that the registry lists for it. Throws `HttpError`
 * 404, 409, 422, 429 or 503; then no mail was written and older links still work.
 */
export async function requestLink(
  context: RegistrationContext,
  asn: string,
  purpose: TokenPurpose,
  clientAddress: string,
): Promise<void> {
  const { db, profile, mailOutbox, rateLimits, clock } = context;
  await rateLimits.mailPerClient.take(toClientKey(clientAddress));
  assertUsableAsn(asn, profile.asn);
  await assertPurposeFits(db, asn, purpose);
  const addresses = await findRegisteredAddresses(context, asn, purpose);
  await rateLimits.mailPerAs.take(asn);
  await db.transaction().execute(async (tx) => {
    const token = await issueToken(tx, { asn, purpose }, clock());
    for (const to of addresses)
      await mailOutbox.enqueue(tx, renderLinkMail(profile, { to, asn, purpose, token }));
  });
  mailOutbox.signal();
}

function assertUsableAsn(asn: string, providerAsn: string): void {
  if (!isAsn(asn)) {
    throw new HttpError(422, {
      message: 'This is not an AS number. Enter digits only, such as 4242420001, without "AS".',
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

async function assertPurposeFits(db: Db, asn: string, purpose: TokenPurpose): Promise<void> {
  const exists = (await findPasswordHash(db, asn)) !== null;
  if (exists && purpose === "registration") throw new HttpError(409, { message: errorMessages.userExists });
  if (!exists && purpose === "reset") throw new HttpError(404, { message: errorMessages.asNotFound });
}

async function findRegisteredAddresses(
  { registry, profile }: RegistrationContext,
  asn: string,
  purpose: TokenPurpose,
): Promise<readonly string[]> {
  const contacts = await registry.findContacts(asn);
  // A reset works with an outdated copy: the AS was in the registry when it registered.
  const needsFresh = purpose === "registration" || !contacts.found;
  if (needsFresh && (await registry.readAge()).stale) {
    throw new HttpError(503, {
      message:
        "Our copy of the network's registry is missing or outdated, so we cannot look up your mail address. " +
        `Nothing was changed. Try again later or write to ${profile.supportAddress}.`,
    });
  }
  if (!contacts.found) throw new HttpError(404, { message: errorMessages.asNotFound });
  if (contacts.addresses.length === 0) {
    throw new HttpError(422, {
      message:
        `The registry lists no mail address for AS${asn}. Add "e-mail:" to the person object that its ` +
        `admin-c names, wait until the change is merged, and try again.`,
      field: "asn",
    });
  }
  return contacts.addresses;
}
