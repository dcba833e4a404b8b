/** Why a mail server did not accept a mail: one sentence for the operator, which says what to change. */
import { toPrintableLine } from "../../system/printable-text.ts";
import { isLocalMailServer } from "../config/mail-url.ts";
import type { MailProfile } from "../config/profile.ts";

export type MailServerProfile = Pick<MailProfile, "url" | "from" | "tls" | "ca">;

/** How nodemailer describes a delivery that failed. */
export interface SmtpError extends Error {
  /** `CONN`, `EHLO`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`, or `API` for a mail that was not sent. */
  readonly command: string;
  /** Which step failed, such as `EDNS`. */
  readonly code?: string;
  /** The error of Node.js or OpenSSL, such as `ECONNREFUSED`. */
  readonly originalCode?: string;
  readonly timeoutType?: string;
  readonly responseCode?: number;
  readonly response?: string;
  /** The mail server's certificate, if it is for another name. */
  readonly cert?: { readonly subjectaltname?: string };
}

interface Failure {
  /** Host and port of `mail.url`. */
  readonly server: string;
  readonly host: string;
  readonly profile: MailServerProfile;
  readonly isTlsFromStart: boolean;
  readonly isLocal: boolean;
  readonly hasPassword: boolean;
  /** The mail server's reply, or else the error, in one printable line. */
  readonly reason: string;
  readonly names: string;
}

type Describe = (failure: Failure) => string;

const describeUnknownAuthority: Describe = ({ server, profile }) =>
  `The certificate of ${server} is from an authority that ${profile.ca === null ? "this machine does not know" : "is not in ca"}: ` +
  "set ca in [mail] to a PEM file with the authority's certificate, and let the mail server send its intermediate " +
  "certificates.";

const describeSelfSigned: Describe = ({ server, profile, isLocal, isTlsFromStart }) =>
  `The certificate of ${server} is self-signed${profile.ca === null ? "" : " and not the one in ca"}: ` +
  "set ca in [mail] to a PEM file with this certificate" +
  (isLocal && !isTlsFromStart
    ? ', or remove ca and set tls = "opportunistic", since the connection stays on this machine.'
    : ".");

const describeNoLogin: Describe = ({ server, hasPassword, reason }) =>
  hasPassword
    ? `${server} requires a login and offered none on this connection (${reason}): use the port for submission, usually ` +
      '587, with tls = "required" in [mail].'
    : `${server} requires a login (${reason}): add user and password to url in [mail].`;

const describeLogin: Describe = ({ server, reason }) =>
  `${server} refused the login (${reason}): correct user and password in url of [mail], with special characters ` +
  "percent-encoded.";

const describeTimeout: Describe = ({ server }) =>
  `${server} did not accept the connection in time: correct host and port in url of [mail], or let ` +
  "firewalls pass them; many hosters block port 25.";

const describeNoRoute: Describe = ({ server, reason }) =>
  `This machine has no route to ${server} (${reason}): correct the host in url of [mail], or the network.`;

const describeClosed: Describe = ({ server, reason, isTlsFromStart }) =>
  `${server} closed the connection before it accepted the mail (${reason}): read its log` +
  (isTlsFromStart ? "." : ", and write smtps:// in url of [mail] if the port expects TLS from the start.");

const describeWithoutTls: Describe = ({ server, isTlsFromStart, reason }) =>
  isTlsFromStart
    ? `${server} does not expect TLS from the start (${reason}): write smtp:// in url of [mail], which uses STARTTLS, or ` +
      "the port for smtps://, usually 465."
    : describeTls({ server, reason });

/**
 * The sentences by what failed: a code of Node.js, OpenSSL or nodemailer, the code of a reply, or the command that was
 * refused.
 */
const sentences: Readonly<Record<string, Describe>> = {
  // Before there is a connection.
  EDNS: ({ host, reason }) =>
    `The host ${host} in url of [mail] was not found (${reason}): correct its name, or this machine's resolver.`,
  ECONNREFUSED: ({ server }) =>
    `Nothing listens on ${server}: start the mail server, or correct host and port in url of [mail]; without a port, smtp:// ` +
    "uses 587 and smtps:// 465, while many local mail servers listen on 25 alone.",
  EHOSTUNREACH: describeNoRoute,
  ENETUNREACH: describeNoRoute,
  CONNECT_TIMEOUT: describeTimeout,
  ETIMEDOUT: describeTimeout,
  GREETING_TIMEOUT: ({ server, isTlsFromStart }) =>
    `${server} sent no greeting in time: ` +
    (isTlsFromStart
      ? "check that a mail server runs there."
      : "write smtps:// in url of [mail] if the port expects TLS from the start, as 465 does; otherwise check that a mail " +
        "server runs there."),
  SOCKET_TIMEOUT: ({ server }) => `${server} stopped responding: check the mail server's load and its log.`,
  ECONNRESET: describeClosed,
  EPIPE: describeClosed,
  ECONNECTION: describeClosed,

  // TLS.
  STARTTLS: ({ server, isLocal, hasPassword, reason }) =>
    `${server} offers no TLS (STARTTLS: ${reason}), so nothing was sent: ` +
    (isLocal
      ? 'set tls = "none" in [mail], since the connection stays on this machine.'
      : hasPassword
        ? "use a port with TLS, usually smtp:// with 587 or smtps:// with 465; no password is sent to another machine " +
          "without TLS."
        : 'use a port with TLS, usually smtp:// with 587 or smtps:// with 465, or set tls = "none" in [mail] if no other ' +
          "machine can read or change what is sent."),
  ERR_SSL_WRONG_VERSION_NUMBER: describeWithoutTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: describeWithoutTls,
  ETLS: describeTls,
  UPGRADE_TIMEOUT: describeTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: describeSelfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: describeUnknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: describeUnknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: describeUnknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: describeUnknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ server, host, names }) =>
    `The certificate of ${server} is valid for ${names}, not for ${host}: write a name of the certificate in url of [mail].`,
  CERT_HAS_EXPIRED: ({ server }) =>
    `The certificate of ${server} has expired: renew it there, or correct this machine's clock.`,
  CERT_NOT_YET_VALID: ({ server }) =>
    `The certificate of ${server} is not valid yet: correct this machine's clock, or renew the certificate.`,

  // Replies of the mail server.
  "needs TLS": ({ server, reason, isLocal }) =>
    `${server} requires TLS (${reason}): set tls = "${isLocal ? "opportunistic" : "required"}" in [mail].`,
  EAUTH: describeLogin,
  "535": describeLogin,
  "530": describeNoLogin,
  "needs login": describeNoLogin,
  "sender domain": ({ profile, reason }) =>
    `The receiving mail server does not trust the domain of ${profile.from} (${reason}): publish SPF and DKIM for it.`,
  relay: ({ server, hasPassword, reason }) =>
    `${server} does not relay mail of this machine (${reason}): ` +
    (hasPassword ? "" : "add user and password to url in [mail], or ") +
    "let it relay for this machine's address (mynetworks of Postfix).",
  "MAIL FROM": ({ server, profile, reason }) =>
    `${server} refused the sender ${profile.from} (${reason}): set from in [mail] to an address that it may send for.`,
  "RCPT TO": ({ server, reason }) =>
    `${server} refused the recipient (${reason}): use an address that exists, in a domain that it delivers to.`,
  DATA: ({ server, reason }) => `${server} refused the message (${reason}): its reply and its log say why.`,
  later: ({ server, reason }) =>
    `${server} accepts no mail for this recipient now (${reason}): try again later, and read its log if it does not end.`,
};

function describeTls({ server, reason }: Pick<Failure, "server" | "reason">): string {
  return `${server} failed to set up TLS (${reason}): check certificate and TLS versions of the mail server.`;
}

/** Replies that say more than their code, whatever they refuse. */
const causesInReplies: ReadonlyArray<readonly [pattern: RegExp, key: string]> = [
  [/\bstarttls\b|encryption required/i, "needs TLS"],
  [/\brelay/i, "relay"],
  [/\b(?:spf|dkim|dmarc)\b/i, "sender domain"],
  [/authenticat/i, "needs login"],
];

/** Returns a sentence that says why a mail server did not accept a mail, and what to change. */
export function describeMailFailure(error: SmtpError, profile: MailServerProfile): string {
  const url = new URL(profile.url);
  const isTlsFromStart = url.protocol === "smtps:";
  const failure = {
    server: `${url.hostname}:${url.port || (isTlsFromStart ? 465 : 587)}`,
    host: url.hostname,
    profile,
    isTlsFromStart,
    isLocal: isLocalMailServer(profile.url),
    hasPassword: url.password !== "",
    reason: toPrintableLine(
      (error.response ?? error.originalCode ?? error.message).replaceAll(/\s+/g, " "),
    ).trim(),
    names: toPrintableLine(listNames(error.cert?.subjectaltname ?? "")),
  };
  const describe = listKeys(error)
    .map((key) => sentences[key])
    .find((each) => each !== undefined);
  return (
    describe?.(failure) ??
    `${failure.server} did not accept the mail (${failure.reason}): its log may say why.`
  );
}

/** The keys of the table that an error has, the most telling one first. */
function listKeys(error: SmtpError): readonly string[] {
  const { command, code = "", originalCode = "", timeoutType = "", responseCode = 0, response = "" } = error;
  if (code === "EDNS") return [code];
  if (command === "STARTTLS" && response !== "") return [command];
  const inReply = causesInReplies.find(([pattern]) => pattern.test(response))?.[1] ?? "";
  if (code === "EAUTH") return [inReply === "needs TLS" ? inReply : code];
  const isAboutRecipient = command === "RCPT TO" || command === "DATA";
  const isTemporary = isAboutRecipient && responseCode > 0 && responseCode < 500;
  return [
    inReply,
    isTemporary ? "later" : "",
    timeoutType,
    originalCode,
    String(responseCode),
    command,
    code,
  ];
}

/** "DNS:mail.example.net, IP Address:192.0.2.1" without the kinds. */
function listNames(subjectAltName: string): string {
  const names = subjectAltName.replaceAll(/(?:DNS|IP Address):/g, "");
  return names === "" ? "no name" : names.slice(0, 300);
}
