/** Each refusal of a mail server, as the operator reads it: in the log of failed deliveries and as result of a test message. */
import { createServer } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { type MailServerOptions, startMailServer } from "#lab/mail-server.ts";
import type { MailProfile } from "#server/config/profile.ts";
import { createSmtpDelivery } from "#server/mail/smtp.ts";
import { sendTestMessage } from "#server/mail/test-message.ts";
import { freePort } from "../../support/free-port.ts";
import { createAuthority, createCertificate } from "./certificates.ts";

const authority = await createAuthority();
const certificates = {
  selfSigned: await createCertificate(),
  otherName: await createCertificate({ ip: "192.0.2.25" }),
  expired: await createCertificate({ notAfter: new Date("2021-01-01") }),
  signed: await createCertificate({ authority }),
  future: await createCertificate({ notBefore: new Date("2098-01-01") }),
};
const withAuthority = {
  certificate: `${certificates.signed.certificate}\n${authority.certificate}`,
  privateKey: certificates.signed.privateKey,
};
const withLogin = { EHLO: "250-mail.example.net\r\n250 AUTH PLAIN" };
const to = "ada@example.org";

function profileOf(url: string, changed: Partial<MailProfile>): MailProfile {
  const from = "Example Network <peering@example.net>";
  return { url, from, tls: "required", ca: null, unreachableDomains: [], ...changed };
}

interface Case {
  readonly options?: MailServerOptions;
  readonly changed?: Partial<MailProfile>;
  readonly login?: string;
  readonly host?: string;
  readonly scheme?: string;
}

async function send({ options, changed = {}, login, host = "127.0.0.1", scheme = "smtp" }: Case) {
  await using server = await startMailServer(options);
  const url = server
    .url(login)
    .replace(/^smtp(?=:)/, scheme)
    .replace("127.0.0.1", host);
  const answer = await sendTestMessage(profileOf(url, changed), to);
  const { port } = new URL(url);
  const received = server.received.join("\n");
  return { answer: answer?.replaceAll(`:${port}`, ":PORT") ?? null, received, text: server.text() };
}

test.each<Case & { name: string }>([
  { name: "without TLS", changed: { tls: "none" } },
  { name: "opportunistic, without STARTTLS", changed: { tls: "opportunistic" } },
  {
    name: "opportunistic, with a self-signed certificate",
    changed: { tls: "opportunistic" },
    options: { tls: certificates.selfSigned },
  },
  {
    name: "opportunistic, with a refused STARTTLS",
    changed: { tls: "opportunistic" },
    options: { tls: certificates.selfSigned, replies: { STARTTLS: "454 not now" } },
  },
  {
    name: "a self-signed certificate in ca",
    changed: { ca: certificates.selfSigned.certificate },
    options: { tls: certificates.selfSigned },
  },
  {
    name: "a certificate of the authority in ca",
    changed: { ca: authority.certificate },
    options: { tls: certificates.signed },
  },
  {
    name: "TLS from the start",
    changed: { ca: authority.certificate },
    options: { tls: certificates.signed, isTlsFromStart: true },
  },
])("a test message arrives and says why it was sent: $name", async (given) => {
  const { answer, text } = await send(given);
  expect(answer).toBeNull();
  expect(text).toContain("To: ada@example.org");
  expect(text).toContain("tests the mail server in the provider profile of Peerdeck");
});

test.each(["opportunistic", "none"] as const)(
  "a password is sent to this machine without TLS: %s",
  async (tls) => {
    const { answer, received } = await send({
      changed: { tls },
      login: "me:canary@",
      options: { replies: withLogin },
    });
    expect(answer).toBeNull();
    expect(received).toContain(`AUTH PLAIN ${Buffer.from("\0me\0canary").toString("base64")}`);
  },
);

test("opportunistic TLS is used if it is offered, and none is not", async () => {
  const options = { tls: certificates.selfSigned };
  expect((await send({ options, changed: { tls: "opportunistic" } })).received).toContain("STARTTLS");
  expect((await send({ options, changed: { tls: "none" } })).received).not.toContain("STARTTLS");
});

// The system takes 0.0.0.0 for this machine, the profile for another one.
test.each(["opportunistic", "none"] as const)(
  "no password is sent to another machine without verified TLS, whatever the profile says: %s",
  async (tls) => {
    const given = { changed: { tls }, login: "me:canary@", host: "0.0.0.0" };
    const plain = await send({ ...given, options: { replies: { ...withLogin, STARTTLS: "502 not here" } } });
    expect(plain.answer).toBe(
      "0.0.0.0:PORT offers no TLS (STARTTLS: 502 not here), so nothing was sent: use a port with TLS, usually smtp:// with " +
        "587 or smtps:// with 465; no password is sent to another machine without TLS.",
    );
    const unverified = await send({ ...given, options: { tls: certificates.selfSigned } });
    expect(unverified.answer).toContain("is self-signed");
    expect(`${plain.received}\n${unverified.received}`).not.toMatch(/AUTH|canary|MAIL/);
  },
);

const tlsCases: ReadonlyArray<Case & { readonly name: string; readonly sentence: string }> = [
  {
    name: "STARTTLS is not offered on this machine",
    options: { replies: { STARTTLS: "502 not here" } },
    sentence:
      '127.0.0.1:PORT offers no TLS (STARTTLS: 502 not here), so nothing was sent: set tls = "none" in [mail], since the connection stays on this machine.',
  },
  {
    name: "STARTTLS is not offered on another machine",
    host: "0.0.0.0",
    options: { replies: { STARTTLS: "502 not here" } },
    sentence:
      '0.0.0.0:PORT offers no TLS (STARTTLS: 502 not here), so nothing was sent: use a port with TLS, usually smtp:// with 587 or smtps:// with 465, or set tls = "none" in [mail] if no other machine can read or change what is sent.',
  },
  {
    name: "self-signed certificate",
    options: { tls: certificates.selfSigned },
    sentence:
      'The certificate of 127.0.0.1:PORT is self-signed: set ca in [mail] to a PEM file with this certificate, or remove ca and set tls = "opportunistic", since the connection stays on this machine.',
  },
  {
    name: "self-signed certificate that is not the one in ca",
    host: "0.0.0.0",
    changed: { ca: authority.certificate },
    options: { tls: certificates.selfSigned },
    sentence:
      "The certificate of 0.0.0.0:PORT is self-signed and not the one in ca: set ca in [mail] to a PEM file with this certificate.",
  },
  {
    name: "unknown authority",
    options: { tls: certificates.signed },
    sentence:
      "The certificate of 127.0.0.1:PORT is from an authority that this machine does not know: set ca in [mail] to a PEM file with the authority's certificate, and let the mail server send its intermediate certificates.",
  },
  {
    name: "unknown authority in the chain",
    changed: { ca: certificates.selfSigned.certificate },
    options: { tls: withAuthority },
    sentence:
      "The certificate of 127.0.0.1:PORT is from an authority that is not in ca: set ca in [mail] to a PEM file with the authority's certificate, and let the mail server send its intermediate certificates.",
  },
  {
    name: "certificate of the future",
    changed: { ca: certificates.future.certificate },
    options: { tls: certificates.future },
    sentence:
      "The certificate of 127.0.0.1:PORT is not valid yet: correct this machine's clock, or renew the certificate.",
  },
  {
    name: "certificate for another name",
    changed: { ca: certificates.otherName.certificate },
    options: { tls: certificates.otherName },
    sentence:
      "The certificate of 127.0.0.1:PORT is valid for mail.example.net, 192.0.2.25, not for 127.0.0.1: write a name of the certificate in url of [mail].",
  },
  {
    name: "expired certificate",
    changed: { ca: certificates.expired.certificate },
    options: { tls: certificates.expired },
    sentence:
      "The certificate of 127.0.0.1:PORT has expired: renew it there, or correct this machine's clock.",
  },
];

test.each(tlsCases)("$name: nothing is sent, and the sentence says what to change", async (given) => {
  const { answer, received } = await send(given);
  expect(answer).toBe(given.sentence);
  expect(received).not.toMatch(/MAIL|RCPT|DATA|ada@example\.org/);
});

test.each<Case & { name: string; sentence: string }>([
  {
    name: "login refused",
    login: "me:canary@",
    options: { replies: { ...withLogin, AUTH: "535 5.7.8 authentication failed" } },
    sentence:
      "127.0.0.1:PORT refused the login (535 5.7.8 authentication failed): correct user and password in url of [mail], with special characters percent-encoded.",
  },
  {
    name: "user without a password",
    login: "me@",
    options: { replies: withLogin },
    sentence:
      '127.0.0.1:PORT refused the login (Missing credentials for "PLAIN"): correct user and password in url of [mail], with special characters percent-encoded.',
  },
  {
    name: "login needed",
    options: { replies: { MAIL: "530 5.7.0 please log in" } },
    sentence:
      "127.0.0.1:PORT requires a login (530 5.7.0 please log in): add user and password to url in [mail].",
  },
  {
    name: "login needed and not offered",
    login: "me:canary@",
    options: { replies: { MAIL: "530 5.7.0 please log in" } },
    sentence:
      '127.0.0.1:PORT requires a login and offered none on this connection (530 5.7.0 please log in): use the port for submission, usually 587, with tls = "required" in [mail].',
  },
  {
    name: "TLS needed for the login",
    login: "me:canary@",
    options: { replies: { ...withLogin, AUTH: "538 5.7.11 Encryption required for this mechanism" } },
    sentence:
      '127.0.0.1:PORT requires TLS (538 5.7.11 Encryption required for this mechanism): set tls = "opportunistic" in [mail].',
  },
  {
    name: "TLS needed",
    host: "0.0.0.0",
    options: { replies: { MAIL: "530 5.7.0 Must issue a STARTTLS command first" } },
    sentence:
      '0.0.0.0:PORT requires TLS (530 5.7.0 Must issue a STARTTLS command first): set tls = "required" in [mail].',
  },
  {
    name: "relaying refused",
    options: { replies: { RCPT: "554 5.7.1 <ada@example.org>: Relay access denied" } },
    sentence:
      "127.0.0.1:PORT does not relay mail of this machine (554 5.7.1 <ada@example.org>: Relay access denied): add user and password to url in [mail], or let it relay for this machine's address (mynetworks of Postfix).",
  },
  {
    name: "sender refused",
    options: { replies: { MAIL: "553 5.7.1 sender not allowed" } },
    sentence:
      "127.0.0.1:PORT refused the sender Example Network <peering@example.net> (553 5.7.1 sender not allowed): set from in [mail] to an address that it may send for.",
  },
  {
    name: "domain of the sender not trusted",
    options: { replies: { ".": "550 5.7.26 This mail is unauthenticated: SPF did not pass" } },
    sentence:
      "The receiving mail server does not trust the domain of Example Network <peering@example.net> (550 5.7.26 This mail is unauthenticated: SPF did not pass): publish SPF and DKIM for it.",
  },
  {
    name: "recipient refused",
    options: { replies: { RCPT: "550 5.1.1 no such user" } },
    sentence:
      "127.0.0.1:PORT refused the recipient (550 5.1.1 no such user): use an address that exists, in a domain that it delivers to.",
  },
  {
    name: "message refused",
    options: { replies: { ".": "554 5.7.1 spam\u001b[2J" } },
    sentence: "127.0.0.1:PORT refused the message (554 5.7.1 spam\\u{1b}[2J): its reply and its log say why.",
  },
  {
    name: "recipient refused for now",
    options: { replies: { RCPT: "451 4.7.1 greylisted" } },
    sentence:
      "127.0.0.1:PORT accepts no mail for this recipient now (451 4.7.1 greylisted): try again later, and read its log if it does not end.",
  },
  {
    name: "TLS from the start on a port for STARTTLS",
    scheme: "smtps",
    sentence:
      "127.0.0.1:PORT does not expect TLS from the start (ERR_SSL_WRONG_VERSION_NUMBER): write smtp:// in url of [mail], which uses STARTTLS, or the port for smtps://, usually 465.",
  },
  {
    name: "another refusal",
    options: { replies: { EHLO: "550 go away", HELO: "550 go away" } },
    sentence: "127.0.0.1:PORT did not accept the mail (550 go away): its log may say why.",
  },
])("$name: the sentence says what to change", async (given) => {
  const { answer } = await send({ ...given, changed: { tls: "none" } });
  expect(answer).toBe(given.sentence);
});

test("no mail server at the address", async () => {
  const server = `127.0.0.1:${await freePort()}`;
  expect(await sendTestMessage(profileOf(`smtp://${server}`, {}), to)).toBe(
    `Nothing listens on ${server}: start the mail server, or correct host and port in url of [mail]; without a port, smtp:// ` +
      "uses 587 and smtps:// 465, while many local mail servers listen on 25 alone.",
  );
});

test("a host that does not exist", async () => {
  expect(await sendTestMessage(profileOf("smtp://mail.invalid", {}), to)).toMatch(
    /^The host mail\.invalid in url of \[mail\] was not found \(E\w+\): correct its name, or this machine's resolver\.$/,
  );
});

test("a recipient that is no mail address", async () => {
  expect(await sendTestMessage(profileOf("smtp://127.0.0.1", {}), "ada")).toBe(
    '"ada" is not a mail address such as noc@example.net.',
  );
});

const mail = { id: "1", to, subject: "Subject", text: "Text" };

test("a port that expects TLS from the start sends no greeting to smtp://", async () => {
  await using server = await startMailServer({ tls: certificates.selfSigned, isTlsFromStart: true });
  const url = server.url().replace("smtps:", "smtp:");
  const deliver = createSmtpDelivery(profileOf(url, {}), { timeoutMs: 200 });
  await expect(deliver(mail)).rejects.toThrow(
    `${new URL(url).host} sent no greeting in time: write smtps:// in url of [mail] if the port expects TLS from the ` +
      "start, as 465 does; otherwise check that a mail server runs there.",
  );
});

test("a mail server that stops responding", async () => {
  await using server = await startMailServer({ replies: { MAIL: null } });
  const deliver = createSmtpDelivery(profileOf(server.url(), { tls: "none" }), { timeoutMs: 200 });
  await expect(deliver(mail)).rejects.toThrow(
    `${new URL(server.url()).host} stopped responding: check the mail server's load and its log.`,
  );
});

test("a server that closes the connection", async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `smtp://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  try {
    expect(await sendTestMessage(profileOf(url, {}), to)).toBe(
      `${new URL(url).host} closed the connection before it accepted the mail (Connection closed unexpectedly): read its ` +
        "log, and write smtps:// in url of [mail] if the port expects TLS from the start.",
    );
  } finally {
    server.close();
  }
});
