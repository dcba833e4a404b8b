import { createTransport } from "nodemailer";
import { isLocalMailServer } from "../config/mail-url.ts";
import { type Deliver, MailServerError, RefusedMailError } from "./mail.ts";
import { describeMailFailure, type MailServerProfile, type SmtpError } from "./mail-failures.ts";

/**
 * Delivers over SMTP, with one connection per mail. To another machine it sends a password only over TLS with a verified
 * certificate, whatever the profile says.
 */
export function createSmtpDelivery(profile: MailServerProfile, { timeoutMs = 20_000 } = {}): Deliver {
  const { url, from } = profile;
  const domain = /@([^@>]+)>?$/.exec(from)?.[1] ?? new URL(url).hostname;
  const transport = openTransport(profile, timeoutMs);
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
      throw isSmtpError(error) ? classify(error, profile) : error;
    });
    if (rejected.length > 0) throw new Error("the mail server rejected the recipient");
  };
}

/**
 * Connects to the mail server and logs in, without a mail. Returns null if that works, otherwise a sentence that says why
 * not and what to change.
 */
export async function verifyMailServer(
  profile: MailServerProfile,
  timeoutMs: number,
): Promise<string | null> {
  try {
    await openTransport(profile, timeoutMs).verify();
    return null;
  } catch (error) {
    if (isSmtpError(error)) return describeMailFailure(error, profile);
    throw error;
  }
}

function openTransport({ url, tls, ca }: MailServerProfile, timeoutMs: number) {
  const hasPassword = new URL(url).password !== "";
  const needsTls = tls === "required" || (hasPassword && !isLocalMailServer(url));
  return createTransport({
    url,
    requireTLS: needsTls,
    ignoreTLS: tls === "none",
    // After a refused STARTTLS nodemailer sends the mail without a login, which the reply would not explain.
    opportunisticTLS: tls === "opportunistic" && !hasPassword,
    tls: { rejectUnauthorized: needsTls, ...(ca !== null && { ca }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // Both begin with the connection: a missing greeting must not be reported as a server that stopped responding.
    socketTimeout: 1.5 * timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function isSmtpError(error: unknown): error is SmtpError {
  return error instanceof Error && "command" in error;
}

/** Replies that refuse the provider and not the recipient: no relaying, no login, a sender that is not authenticated. */
const refusesProvider = /\brelay|authenticat/i;
const loginCodes = new Set([530, 535]);

/** A reply to RCPT TO or DATA concerns the recipient, and 5xx is final. Every earlier step is between us and the mail server. */
function classify(error: SmtpError, profile: MailServerProfile): Error {
  const { command, code, responseCode = 0, response = "" } = error;
  // A login without a password fails before it is sent.
  if (command === "API" && code !== "EAUTH") return error;
  const sentence = describeMailFailure(error, profile);
  const isAboutRecipient = command === "RCPT TO" || command === "DATA";
  if (isAboutRecipient && responseCode < 500) return new Error(sentence, { cause: error });
  if (isAboutRecipient && !loginCodes.has(responseCode) && !refusesProvider.test(response)) {
    return new RefusedMailError(response.replaceAll(/\s+/g, " ").trim(), { cause: error });
  }
  return new MailServerError(sentence, { cause: error });
}
