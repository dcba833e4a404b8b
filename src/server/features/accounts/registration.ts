import { isAsn } from "../../../domain/asn.ts";
import { toClientKey } from "../../api/rate-limits.ts";
import { HttpError, errorMessages } from "../../../contract/http-error.ts";
import type { AppContext } from "../../context.ts";
import type { Db } from "../../db/open.ts";
import type { AlteredContact } from "../../registry/contacts.ts";
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
    throw new HttpError(422, { message: explainMissingAddress(asn, contacts.altered), field: "asn" });
  }
  return contacts.addresses;
}

/** Names the line to fix but not its address, since anyone can ask about any AS. */
function explainMissingAddress(asn: string, altered: AlteredContact | null): string {
  const [missing, fix] = altered
    ? [
        `The registry lists only an altered mail address for AS${asn}, such as one with "NOSPAM" or "(at)", so we ` +
          "sent no mail.",
        `Write the plain address into the ${formatLine(altered)} of ${altered.object}`,
      ]
    : [
        `The registry lists no mail address for AS${asn}.`,
        'Add "e-mail:" to the person object that its admin-c names',
      ];
  return `${missing} ${fix}, wait until the change is merged, and try again.`;
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const ordinalSuffixes = { zero: "th", one: "st", two: "nd", few: "rd", many: "th", other: "th" } as const;

/** Returns `"contact:" line`, or `2nd "contact:" line` if there are several. */
function formatLine({ key, position, count }: AlteredContact): string {
  const line = `"${key}:" line`;
  return count === 1 ? line : `${position}${ordinalSuffixes[ordinals.select(position)]} ${line}`;
}
