/**
 * Turns notices into mails to the addresses of the registry.
 *
 * Invariants:
 * - The change that a notice reports never waits for the registry: both are in the database in one transaction, and the
 *   mails follow.
 * - A notice is deleted in the transaction that writes its mails, so each mail is written once.
 * - The holder of a flagged account receives no notice: it may be another one than the account's.
 */
import type { Logger } from "pino";
import type { AppContext } from "#server/context.ts";
import { listPublicUrls } from "#domain/public-urls.ts";
import type { Db } from "#server/db/open.ts";
import { createJobLoop, type JobLoop } from "#server/jobs/job-loop.ts";
import type { Mail } from "#server/mail/mail.ts";
import { isOfNode, type NoticeRow } from "./notice-store.ts";
import { renderNoticeMail } from "./notice-mail.ts";
import { findNewNodeKeys } from "../../peerings/node-keys/confirm-node-keys.ts";
import { renderForgottenNodeMail } from "../../peerings/removed-nodes/forgotten-node-mail.ts";
import { findOwnEndpoint, renderNodeAddressMail } from "../../peerings/node-addresses/node-address-mail.ts";
import { renderNodeKeyMail } from "../../peerings/node-keys/node-key-mail.ts";
import { readRekeyMail, renderRekeyMail } from "../../peerings/node-keys/rekey-mail.ts";

export interface NoticeMailsDeps extends Pick<
  AppContext,
  "db" | "events" | "locks" | "profile" | "mailOutbox" | "retentionClock"
> {
  readonly registry: Pick<AppContext["registry"], "findContacts">;
  readonly log: Pick<Logger, "error" | "warn">;
}

const pollMs = 30_000;
/** As long as the outbox tries to deliver a mail. */
const giveUpAfterMs = 3 * 24 * 3_600_000;

/** Creates the loop that writes the mails of new notices. */
export function createNoticeMails(deps: NoticeMailsDeps): JobLoop {
  const loop = createJobLoop({
    pollMs,
    run: ({ closing }) => deps.locks.tryExclusive("account notices", () => writeMails(deps, closing)),
    onError: (error) => deps.log.error({ err: error }, "writing mails about accounts failed"),
  });
  deps.events.subscribe("accountNotice", () => loop.signal());
  return loop;
}

async function writeMails(deps: NoticeMailsDeps, closing: AbortSignal): Promise<void> {
  const notices = await deps.db.selectFrom("account_notices").selectAll().orderBy("at").execute();
  for (const notice of notices) {
    if (closing.aborted) return;
    try {
      await writeMailsOf(deps, notice);
    } catch (error) {
      deps.log.error(
        { err: error, asn: notice.asn },
        "a mail about an account could not be written; trying again",
      );
    }
  }
}

async function writeMailsOf(
  { db, registry, profile, mailOutbox, retentionClock, log }: NoticeMailsDeps,
  notice: NoticeRow,
): Promise<void> {
  const { id, asn, kind, at } = notice;
  const contacts = await registry.findContacts(asn);
  const addresses = contacts.found ? contacts.addresses : [];
  // A registry that is being replaced finds nothing for a moment.
  if (addresses.length === 0 && retentionClock() - at < giveUpAfterMs) return;
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom("account_notices").where("id", "=", id).executeTakeFirst();
    if (numDeletedRows === 0n) return;
    const account = await tx
      .selectFrom("accounts")
      .select("flagged_at")
      .where("asn", "=", asn)
      .executeTakeFirst();
    if (typeof account?.flagged_at === "number" || addresses.length === 0) {
      log.warn(
        { asn, kind },
        "no mail about an account was sent: it is flagged, or the registry has no address that mail can reach",
      );
      return;
    }
    const render = await prepareMail(tx, profile, notice);
    if (render !== null) for (const to of addresses) await mailOutbox.enqueue(tx, render(to), { asn });
  });
  mailOutbox.signal();
}

/** Returns null if the participant needs the mail no longer. */
async function prepareMail(
  tx: Db,
  profile: NoticeMailsDeps["profile"],
  { kind, node, public_url: usedUrl, ...notice }: NoticeRow,
): Promise<((to: string) => Mail) | null> {
  if (!isOfNode(kind)) {
    // The profile may have changed since.
    const publicUrl = listPublicUrls(profile).find((url) => url === usedUrl) ?? profile.publicUrl;
    return (to) => renderNoticeMail(profile, { ...notice, kind, publicUrl }, to);
  }
  const { asn } = notice;
  if (node === null) return null;
  if (kind === "nodeForgotten") return (to) => renderForgottenNodeMail(profile, { asn, node }, to);
  if (kind === "nodeAddressChanged") {
    const endpoint = await findOwnEndpoint(tx, asn, node);
    return endpoint === null ? null : (to) => renderNodeAddressMail(profile, { asn, node, endpoint }, to);
  }
  if (kind !== "nodeKeyChanged") {
    const mail = await readRekeyMail(tx, { kind, asn, node });
    return mail && ((to) => renderRekeyMail(profile, mail, to));
  }
  const publicKey = (await findNewNodeKeys(tx, [asn])).get(asn)?.get(node);
  if (publicKey === undefined) return null;
  return (to) => renderNodeKeyMail(profile, { asn, node, publicKey }, to);
}
