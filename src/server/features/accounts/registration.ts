import { isAsn } from "#domain/asn.ts";
import { toClientKey } from "#domain/client-key.ts";
import type { RequestContext } from "../../api/handlers.ts";
import { takeAll } from "../../api/rate-limits.ts";
import type { RefusedAddress } from "#contract/entities.ts";
import { HttpError, errorMessages } from "#contract/http-error.ts";
import { recordPublicEvent } from "../../audit/record-event.ts";
import type { Profile } from "../../config/profile.ts";
import type { AppContext } from "../../context.ts";
import type { Db } from "../../db/open.ts";
import { maskAddress } from "../../mail/mask-address.ts";
import type { ContactAddresses, ContactLine } from "../../registry/contacts.ts";
import { flagIfChanged } from "./account-holders.ts";
import { findBlock } from "./blocks.ts";
import { findPasswordHash, issueToken, type TokenPurpose } from "./accounts.ts";
import { renderLinkMail } from "./link-mail.ts";
import { takeLink } from "./link-limits.ts";
import { findRefusedAddresses } from "./refused-addresses.ts";

export type RegistrationContext = Pick<
  AppContext,
  "db" | "profile" | "registry" | "mailOutbox" | "rateLimits" | "knownClients" | "clock"
>;

export interface RequestedLink {
  /** The addresses that the mail goes to, masked. */
  readonly sentTo: readonly string[];
  /** Those that refused the last mail for good. */
  readonly refused: readonly RefusedAddress[];
}

/**
 * Mails a link that sets the password of an AS to every address that the registry lists for it. Throws `HttpError`
 * 403, 404, 409, 422, 429 or 503; then no mail was written and older links still work.
 */
export async function requestLink(
  context: RegistrationContext,
  asn: string,
  purpose: TokenPurpose,
  {
    clientAddress,
    knownClientCookie,
    origin,
  }: Pick<RequestContext, "clientAddress" | "knownClientCookie" | "origin">,
): Promise<RequestedLink> {
  const { db, profile, registry, mailOutbox, rateLimits, knownClients, clock } = context;
  const { publicUrl } = origin;
  const client = toClientKey(clientAddress);
  const knownId = knownClients.find(knownClientCookie, asn);
  if (knownId === null) await takeAll(rateLimits.mailPerClient.countsOf(clientAddress));
  assertUsableAsn(asn, profile.asn);
  if ((await findBlock(db, asn)) !== null) throw blockedError(asn, profile);
  await assertPurposeFits(db, asn, purpose);
  const addresses = await findRegisteredAddresses(context, asn, purpose);
  const holder = await registry.findHolder(asn);
  if (holder === null) throw staleRegistryError(profile);
  if (await flagIfChanged(db, { asn, holder }, clock())) {
    throw new HttpError(403, {
      message:
        `The registry's entry of AS${asn} has changed since this account was verified, so we sent no link. ` +
        `The peerings keep running. Write to ${profile.supportAddress}.`,
    });
  }
  await takeLink(rateLimits, { asn, client, knownId });
  const isReset = purpose === "reset";
  const event = { kind: isReset ? "reset-link" : "registration-link", asn, hasAccount: isReset } as const;
  await db.transaction().execute(async (tx) => {
    const now = clock();
    const { token, tokenHash } = await issueToken(tx, { asn, purpose, holder }, now);
    await recordPublicEvent(tx, event, origin, now);
    const mailOrigin = { asn, tokenHash, requestedBy: knownId === null ? client : null };
    for (const to of addresses)
      await mailOutbox.enqueue(
        tx,
        renderLinkMail(profile, { to, asn, purpose, token, publicUrl }),
        mailOrigin,
      );
  });
  mailOutbox.signal();
  // Two addresses may look the same when masked.
  const sentTo = Array.from(new Set(addresses.map(maskAddress)));
  return { sentTo, refused: await findRefusedAddresses(db, addresses) };
}

function assertUsableAsn(asn: string, providerAsn: string): void {
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

/** Without the reason: anyone can ask about any AS. */
function blockedError(asn: string, { supportAddress }: Pick<Profile, "supportAddress">): HttpError {
  return new HttpError(403, {
    message: `AS${asn} is blocked, so we sent no link. Write to ${supportAddress}.`,
    field: "asn",
  });
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
  // A reset gives access to an existing account, and the AS may have another holder since the last fetch.
  if (purpose === "reset" && !(await registry.refresh())) {
    throw new HttpError(503, {
      message:
        `We cannot reach the network's registry right now, so we cannot check who holds AS${asn}. ` +
        `Nothing was changed. Try again later or write to ${profile.supportAddress}.`,
    });
  }
  if ((await registry.readAge()).stale) throw staleRegistryError(profile);
  const contacts = await registry.findContacts(asn);
  if (!contacts.found) throw new HttpError(404, { message: errorMessages.asNotFound });
  if (contacts.addresses.length === 0) {
    throw new HttpError(422, { message: explainMissingAddress(asn, contacts), field: "asn" });
  }
  return contacts.addresses;
}

function staleRegistryError({ supportAddress }: Pick<Profile, "supportAddress">): HttpError {
  return new HttpError(503, {
    message:
      "Our copy of the network's registry is missing or outdated, so we cannot look up your email address. " +
      `Nothing was changed. Try again later or write to ${supportAddress}.`,
  });
}

/** Names the line to fix but not its address, since anyone can ask about any AS. */
function explainMissingAddress(
  asn: string,
  { altered, unreachable }: Pick<ContactAddresses, "altered" | "unreachable">,
): string {
  const [missing, fix] = altered
    ? [
        `The registry lists only an altered email address for AS${asn}, such as one with "NOSPAM" or "(at)", so we ` +
          "sent no mail.",
        `Write the plain address into the ${formatLine(altered)} of ${altered.object}`,
      ]
    : unreachable
      ? [
          `The registry lists only an email address under ${unreachable.domain} for AS${asn}, which our mail server ` +
            "cannot reach, so we sent no mail.",
          `Write an address on the internet into the ${formatLine(unreachable)} of ${unreachable.object}`,
        ]
      : [
          `The registry lists no email address for AS${asn}.`,
          'Add "e-mail:" to the person object that its admin-c names',
        ];
  return `${missing} ${fix}, wait until the change is merged, and try again.`;
}

const ordinalSuffixes = { zero: "th", one: "st", two: "nd", few: "rd", many: "th", other: "th" } as const;

/** Returns `"contact:" line`, or `2nd "contact:" line` if there are several. */
function formatLine({ key, position, count }: ContactLine): string {
  const line = `"${key}:" line`;
  if (count === 1) return line;
  const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
  return `${position}${ordinalSuffixes[ordinals.select(position)]} ${line}`;
}
