import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { generate } from "selfsigned";
import { expect, test } from "vitest";
import { createSmtpDelivery } from "#server/mail/smtp.ts";
import { startMailServer } from "#lab/mail-server.ts";

const mail = {
  id: "00001-abc",
  to: "ada@example.org",
  subject: "Grüße, AS4242420001",
  text: "Zeile eins\n.\nAfter a lone dot\n",
  replyTo: "noc@example.net",
};

const from = "Example Network <peering@example.net>";

test("sends a mail to one recipient, with a message id that is the same in every attempt", async () => {
  await using server = await startMailServer();
  const deliver = createSmtpDelivery({ url: server.url(), from, requireTls: false });
  await deliver(mail);
  expect(server.received).toContain("MAIL FROM:<peering@example.net>");
  expect(server.received.filter((line) => line.startsWith("RCPT"))).toEqual(["RCPT TO:<ada@example.org>"]);
  expect(server.received).toEqual(
    expect.arrayContaining([
      "From: Example Network <peering@example.net>",
      "To: ada@example.org",
      "Reply-To: noc@example.net",
      "Message-ID: <00001-abc@example.net>",
      "Auto-Submitted: auto-generated",
      "After a lone dot",
    ]),
  );
});

test.each([{ RCPT: "550 no such user" }, { DATA: "451 later" }])(
  "rejects if the mail server responds %j",
  async (replies) => {
    await using server = await startMailServer({ replies });
    const deliver = createSmtpDelivery({ url: server.url(), from, requireTls: false });
    await expect(deliver(mail)).rejects.toThrow(Object.values(replies)[0]);
  },
);

test.each([
  { replies: { STARTTLS: "502 not here" }, offered: "not offered" },
  {
    replies: { EHLO: "250-mail.example.net\r\n250 STARTTLS", STARTTLS: "454 not now" },
    offered: "offered and refused",
  },
])("sends nothing without TLS if TLS is required and STARTTLS is $offered", async ({ replies }) => {
  await using server = await startMailServer({ replies });
  const delivery = createSmtpDelivery({ url: server.url(), from, requireTls: true })(mail);
  await expect(delivery).rejects.toThrow(
    `the mail server ${new URL(server.url()).host} refused TLS (STARTTLS: ${replies.STARTTLS}), so nothing was ` +
      "sent: use a mail server with TLS, or set require_tls = false in [mail] if the network to it is trusted",
  );
  expect(server.received.join("\n")).not.toMatch(/MAIL|RCPT|DATA|ada@example\.org/);
});

test("sends no password over an unencrypted connection, whatever the profile says", async () => {
  await using server = await startMailServer({
    replies: { EHLO: "250-mail.example.net\r\n250 AUTH PLAIN LOGIN", STARTTLS: "502 not here" },
  });
  const deliver = createSmtpDelivery({ url: server.url("me:canary@"), from, requireTls: false });
  await expect(deliver(mail)).rejects.toThrow("a password is never sent without TLS");
  expect(server.received.join("\n")).not.toMatch(/AUTH|canary|Y2FuYXJ5/);
});

test("sends over STARTTLS, and nothing to a mail server without a trusted certificate", async () => {
  const { cert: certificate, private: privateKey } = await generate(
    [{ name: "commonName", value: "mail.example.net" }],
    { extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }] },
  );
  await using server = await startMailServer({ tls: { certificate, privateKey } });
  const deliver = createSmtpDelivery({ url: server.url(), from, requireTls: true });
  await expect(deliver(mail)).rejects.toThrow("self-signed certificate");
  expect(server.received.join("\n")).not.toMatch(/MAIL|RCPT|DATA|ada@example\.org/);

  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, certificate]);
  try {
    await deliver(mail);
  } finally {
    setDefaultCACertificates(trusted);
  }
  expect(server.received).toEqual(expect.arrayContaining(["STARTTLS", "RCPT TO:<ada@example.org>"]));
});

test("rejects if the mail server is unreachable", async () => {
  await expect(
    createSmtpDelivery({ url: "smtp://127.0.0.1:1", from, requireTls: false })(mail),
  ).rejects.toThrow("ECONNREFUSED");
});
