import { checkMessage } from "../../../domain/contact-message.ts";
import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import type { Handlers } from "../../http/handlers.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Limits } from "../accounts/limits.ts";
import type { Outbox } from "../mail/outbox.ts";
import { takeOnce } from "./take-once.ts";

export interface ContactDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "name" | "supportAddress">;
  readonly outbox: Pick<Outbox, "enqueue" | "wake">;
  readonly accountLimits: Pick<Limits, "contactPerAs">;
  readonly clock: () => number;
}

export function contactHandlers({
  db,
  profile,
  outbox,
  accountLimits,
  clock,
}: ContactDeps): Pick<Handlers, "submitContactForm"> {
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
      await db.transaction().execute(async (tx) => {
        if (!(await takeOnce(tx, mail.text, clock()))) return;
        await accountLimits.contactPerAs.take(asn);
        await outbox.enqueue(tx, mail);
      });
      outbox.wake();
      return {};
    },
  };
}
