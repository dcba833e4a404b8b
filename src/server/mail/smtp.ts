import { createTransport } from "nodemailer";
import type { MailProfile } from "../config/profile.ts";
import { type Deliver, MailServerError, RefusedMailError } from "./mail.ts";

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
      if (!isTlsRefused(error)) throw classify(error);
      throw new MailServerError(describeRefusedTls(error, parsed.host, hasPassword), { cause: error });
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

/** How nodemailer describes a delivery that failed. */
interface SmtpError extends Error {
  /** `CONN`, `EHLO`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`, or `API` for a mail that was not sent. */
  readonly command: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Replies that refuse the provider and not the recipient: no relaying, no login, a sender that is not authenticated. */
const refusesProvider = /\brelay|authenticat/i;
const loginCodes = new Set([530, 535]);

/** A reply to RCPT TO or DATA concerns the recipient, and 5xx is final. Every earlier step is between us and the mail server. */
function classify(error: unknown): unknown {
  if (!(error instanceof Error) || !("command" in error)) return error;
  const { command, responseCode = 0, response = "", message } = error as SmtpError;
  if (command === "API") return error;
  const isAboutRecipient = command === "RCPT TO" || command === "DATA";
  if (isAboutRecipient && responseCode < 500) return error;
  if (isAboutRecipient && !loginCodes.has(responseCode) && !refusesProvider.test(response)) {
    return new RefusedMailError(response.replaceAll(/\s+/g, " ").trim(), { cause: error });
  }
  return new MailServerError(message, { cause: error });
}
