import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, test } from "vitest";
import { createSmtpDelivery } from "#server/mail/smtp.ts";
import { startMailServer } from "#lab/mail-server.ts";
import { createCertificate } from "./certificates.ts";

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
  const deliver = createSmtpDelivery({ url: server.url(), from, tls: "none", ca: null });
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
    const deliver = createSmtpDelivery({ url: server.url(), from, tls: "none", ca: null });
    await expect(deliver(mail)).rejects.toThrow(Object.values(replies)[0]);
  },
);

test("sends over STARTTLS to a mail server that an authority of the system trusts", async () => {
  const tls = await createCertificate();
  await using server = await startMailServer({ tls });
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, tls.certificate]);
  try {
    await createSmtpDelivery({ url: server.url(), from, tls: "required", ca: null })(mail);
  } finally {
    setDefaultCACertificates(trusted);
  }
  expect(server.received).toEqual(expect.arrayContaining(["STARTTLS", "RCPT TO:<ada@example.org>"]));
});
