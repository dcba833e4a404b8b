import { toClientKey } from "#domain/client-key.ts";
import type { RequestContext } from "../../api/handlers.ts";
import { takeAll } from "../../api/rate-limits.ts";
import type { RefusedAddress } from "#contract/entities.ts";
import { HttpError, errorMessages } from "#contract/http-error.ts";
import { recordPublicEvent } from "../../audit/record-event.ts";
import type { AppContext } from "../../context.ts";
import { maskAddress } from "../../mail/mask-address.ts";
import type { ContactAddresses, ContactLine } from "../../registry/contacts.ts";
import { issueToken, type TokenPurpose } from "./accounts.ts";
import { renderLinkMail } from "./link-mail.ts";
import { takeLink } from "./link-limits.ts";
import {
  assertCurrentRegistry,
  assertNotBlocked,
  assertPurposeFits,
  assertUsableAsn,
  readVerifiedHolder,
} from "./ownership-checks.ts";
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
  const { db, profile, mailOutbox, rateLimits, knownClients, clock } = context;
  const { publicUrl } = origin;
  const client = toClientKey(clientAddress);
  const knownId = knownClients.find(knownClientCookie, asn);
  if (knownId === null) await takeAll(rateLimits.mailPerClient.countsOf(clientAddress));
  assertUsableAsn(asn, profile.asn);
  const consequence = "we sent no link";
  await assertNotBlocked(context, asn, consequence);
  await assertPurposeFits(db, asn, purpose);
  await assertCurrentRegistry(context, asn, purpose === "reset");
  const addresses = await findRegisteredAddresses(context, asn);
  const holder = await readVerifiedHolder(context, asn, consequence);
  await takeLink(rateLimits, { asn, client, knownId });
  const isReset = purpose === "reset";
  const event = { kind: isReset ? "reset-link" : "registration-link", asn, hasAccount: isReset } as const;
  await db.transaction().execute(async (tx) => {
    const now = clock();
    const { token, tokenHash } = await issueToken(tx, { asn, purpose, holder, proof: null }, now);
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

async function findRegisteredAddresses(
  { registry }: Pick<RegistrationContext, "registry">,
  asn: string,
): Promise<readonly string[]> {
  const contacts = await registry.findContacts(asn);
  if (!contacts.found) throw new HttpError(404, { message: errorMessages.asNotFound });
  if (contacts.addresses.length === 0) {
    throw new HttpError(422, { message: explainMissingAddress(asn, contacts), field: "asn" });
  }
  return contacts.addresses;
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
