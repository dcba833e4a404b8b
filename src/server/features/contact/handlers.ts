import { createHash } from "node:crypto";
import { checkMessage } from "../../../domain/contact-message.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import type { Handlers } from "../../http/handlers.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Limits } from "../accounts/limits.ts";
import type { Outbox } from "../mail/outbox.ts";
import { createAcceptOnce } from "./accepted-once.ts";

export interface ContactDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "name" | "supportAddress">;
  readonly outbox: Pick<Outbox, "enqueue" | "wake">;
  readonly accountLimits: Pick<Limits, "contactPerAs">;
  readonly clock: () => number;
}

/** Whoever got no answer and submits again within this time has written one message, not two. */
const sameMessageMs = 15 * 60_000;

export function contactHandlers({
  db,
  profile,
  outbox,
  accountLimits,
  clock,
}: ContactDeps): Pick<Handlers, "submitContactForm"> {
  const acceptOnce = createAcceptOnce(clock, sameMessageMs);
  return {
    submitContactForm: async ({ name, email, message }, { asn }) => {
      const checked = checkMessage({ name, email, message });
      if (!checked.ok) throw new Refusal(422, checked.fault);
      const { value } = checked;
      const mail = {
        to: profile.supportAddress,
        replyTo: value.email,
        subject: `Message from AS${asn} through ${profile.name}`,
        text: `AS${asn}, ${value.name} <${value.email}>, wrote:\n\n${value.message}\n`,
      };
      const key = createHash("sha256").update(mail.text).digest("base64");
      await acceptOnce(key, async () => {
        await accountLimits.contactPerAs.take(asn);
        await db.transaction().execute((tx) => outbox.enqueue(tx, mail));
        outbox.wake();
      });
      return {};
    },
  };
}
