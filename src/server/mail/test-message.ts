import { randomUUID } from "node:crypto";
import { isMailAddress } from "../../domain/mail-address.ts";
import type { MailProfile } from "../config/profile.ts";
import { RefusedMailError } from "./mail.ts";
import { describeMailFailure, type SmtpError } from "./mail-failures.ts";
import { createSmtpDelivery } from "./smtp.ts";

/**
 * Sends a short test message. Returns null if the mail server accepted it, otherwise a sentence that says why not and
 * what to change.
 */
export async function sendTestMessage(mail: MailProfile, to: string): Promise<string | null> {
  if (!isMailAddress(to)) return `${JSON.stringify(to)} is not a mail address such as noc@example.net.`;
  try {
    await createSmtpDelivery(mail)({
      id: `test-${randomUUID()}`,
      to,
      subject: "Test message of Peerdeck",
      text:
        "This message tests the mail server in the provider profile of Peerdeck. An operator requested it with the setup " +
        "or the doctor command.\n\nNothing is left to do: the mail server accepts mail from Peerdeck, and it arrives here.\n",
    });
    return null;
  } catch (error) {
    if (error instanceof RefusedMailError) return describeMailFailure(error.cause as SmtpError, mail);
    return error instanceof Error ? error.message : String(error);
  }
}
