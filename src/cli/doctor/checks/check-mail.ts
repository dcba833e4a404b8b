import { sendTestMessage } from "#server/mail/test-message.ts";
import { verifyMailServer } from "#server/mail/smtp.ts";
import { finding } from "../sentences/sentences.ts";
import { callLimitMs, type Check, checkLimitMs } from "../doctor-context.ts";

/** A mail server may look a recipient up before it responds. */
const messageLimitMs = 30_000;

export const checkMail: Check = {
  name: "mail",
  limitMs: ({ testRecipient }) => (testRecipient === null ? checkLimitMs : messageLimitMs),
  run: async ({ profile, testRecipient: to }) => {
    if (!profile?.mail) return [];
    const { mail } = profile;
    const server = new URL(mail.url).host;
    const text = to === null ? await verifyMailServer(mail, callLimitMs) : await sendTestMessage(mail, to);
    if (text !== null) return [finding("mail-problem", { text })];
    return [to === null ? finding("mail-ok", { server }) : finding("mail-sent", { server, to })];
  },
};
