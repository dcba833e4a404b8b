import { expect, test } from "vitest";
import { createSmtpDelivery } from "../../../src/server/mail/smtp.ts";
import { startMailServer } from "../../../src/lab/mail-server.ts";

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
  const deliver = createSmtpDelivery({ url: server.url(), from });
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

test("rejects if the mail server rejects the recipient", async () => {
  await using server = await startMailServer({ replies: { RCPT: "550 no such user" } });
  await expect(createSmtpDelivery({ url: server.url(), from })(mail)).rejects.toThrow("550 no such user");
});

test("rejects if the mail server rejects the text", async () => {
  await using server = await startMailServer({ replies: { DATA: "451 later" } });
  await expect(createSmtpDelivery({ url: server.url(), from })(mail)).rejects.toThrow("451 later");
});

test("sends no password over an unencrypted connection", async () => {
  await using server = await startMailServer({
    replies: { EHLO: "250-mail.example.net\r\n250 AUTH PLAIN LOGIN", STARTTLS: "502 not here" },
  });
  await expect(createSmtpDelivery({ url: server.url("me:canary@"), from })(mail)).rejects.toThrow("STARTTLS");
  expect(server.received.join("\n")).not.toMatch(/AUTH|canary|Y2FuYXJ5/);
});

test("rejects if the mail server is unreachable", async () => {
  await expect(createSmtpDelivery({ url: "smtp://127.0.0.1:1", from })(mail)).rejects.toThrow("ECONNREFUSED");
});
