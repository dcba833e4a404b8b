import { createTransport } from "nodemailer";
import type { MailProfile } from "../config/profile.ts";
import type { Deliver } from "./mail.ts";

const timeoutMs = 20_000;

/** Delivers over SMTP, with one connection per mail. Never sends a password over an unencrypted connection. */
export function createSmtpDelivery({ url, from }: MailProfile): Deliver {
  const parsed = new URL(url);
  const domain = /@([^@>]+)>?$/.exec(from)?.[1] ?? parsed.hostname;
  const transport = createTransport({
    url,
    requireTLS: parsed.password !== "",
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ id, to, subject, text, replyTo }) => {
    const { rejected } = await transport.sendMail({
      from,
      to: { name: "", address: to },
      ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
      subject,
      text,
      messageId: `<${id}@${domain}>`,
      // Suppresses out-of-office replies (RFC 3834).
      headers: { "auto-submitted": "auto-generated" },
    });
    if (rejected.length > 0) throw new Error("the mail server rejected the recipient");
  };
}
