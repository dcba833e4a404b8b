import { createTransport } from "nodemailer";
import type { MailProfile } from "../config/profile.ts";
import type { Deliver } from "./mail.ts";

const timeoutMs = 20_000;

/**
 * Delivers over SMTP, with one connection per mail. Without TLS it sends no password, and no mail either if the profile
 * requires TLS.
 */
export function createSmtpDelivery({
  url,
  from,
  requireTls,
}: Pick<MailProfile, "url" | "from" | "requireTls">): Deliver {
  const parsed = new URL(url);
  const hasPassword = parsed.password !== "";
  const domain = /@([^@>]+)>?$/.exec(from)?.[1] ?? parsed.hostname;
  const transport = createTransport({
    url,
    requireTLS: requireTls || hasPassword,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ id, to, subject, text, replyTo }) => {
    const sent = transport.sendMail({
      from,
      to: { name: "", address: to },
      ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
      subject,
      text,
      messageId: `<${id}@${domain}>`,
      // Suppresses out-of-office replies (RFC 3834).
      headers: { "auto-submitted": "auto-generated" },
    });
    const { rejected } = await sent.catch((error: unknown) => {
      throw isTlsRefused(error) ? new Error(describeRefusedTls(error, parsed.host, hasPassword)) : error;
    });
    if (rejected.length > 0) throw new Error("the mail server rejected the recipient");
  };
}

interface RefusedTls {
  /** The mail server's reply to STARTTLS. */
  readonly response: string;
}

function isTlsRefused(error: unknown): error is RefusedTls {
  return error instanceof Error && "code" in error && error.code === "ETLS" && "response" in error;
}

function describeRefusedTls({ response }: RefusedTls, host: string, hasPassword: boolean): string {
  const fix = hasPassword
    ? "a password is never sent without TLS"
    : "use a mail server with TLS, or set require_tls = false in [mail] if the network to it is trusted";
  return `the mail server ${host} refused TLS (STARTTLS: ${response}), so nothing was sent: ${fix}`;
}
