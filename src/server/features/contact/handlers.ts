import type { Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import type { Handlers } from "../../http/handlers.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Limits } from "../accounts/limits.ts";
import type { Outbox } from "../mail/outbox.ts";
import { checkMessage } from "./message.ts";

export interface ContactDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "name" | "supportAddress">;
  readonly outbox: Pick<Outbox, "enqueue" | "wake">;
  readonly accountLimits: Pick<Limits, "contactPerAs">;
}

export function contactHandlers({
  db,
  profile,
  outbox,
  accountLimits,
}: ContactDeps): Pick<Handlers, "submitContactForm"> {
  return {
    submitContactForm: async ({ name, email, message }, { asn }) => {
      const checked = checkMessage({ name, email, message });
      if (!checked.ok) throw new Refusal(422, checked.fault);
      await accountLimits.contactPerAs.take(asn);
      const { value } = checked;
      await db.transaction().execute((tx) =>
        outbox.enqueue(tx, {
          to: profile.supportAddress,
          replyTo: value.email,
          subject: `Message from AS${asn} through ${profile.name}`,
          text: `AS${asn}, ${value.name} <${value.email}>, wrote:\n\n${value.message}\n`,
        }),
      );
      outbox.wake();
      return {};
    },
  };
}
