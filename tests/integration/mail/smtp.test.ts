import { expect, test } from "vitest";
import { smtpDelivery } from "../../../src/server/features/mail/smtp.ts";
import { startMailServer } from "../../../src/lab/mail-server.ts";

const mail = {
  id: "00001-abc",
  to: "ada@example.org",
  subject: "Grüße, AS4242420001",
  text: "Zeile eins\n.\nAfter a lone dot\n",
  replyTo: "noc@example.net",
};

const from = "Example Network <peering@example.net>";

test("a mail goes to one receiver, with headers that stay the same at every attempt", async () => {
  await using server = await startMailServer();
  const deliver = smtpDelivery({ url: server.url(), from });
  await deliver(mail);
  expect(server.said).toContain("MAIL FROM:<peering@example.net>");
  expect(server.said.filter((line) => line.startsWith("RCPT"))).toEqual(["RCPT TO:<ada@example.org>"]);
  expect(server.said).toEqual(
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

test("a refused receiver is a failure", async () => {
  await using server = await startMailServer({ answers: { RCPT: "550 no such user" } });
  await expect(smtpDelivery({ url: server.url(), from })(mail)).rejects.toThrow("550 no such user");
});

test("a refused text is a failure", async () => {
  await using server = await startMailServer({ answers: { DATA: "451 later" } });
  await expect(smtpDelivery({ url: server.url(), from })(mail)).rejects.toThrow("451 later");
});

test("a password is not sent where nothing encrypts it", async () => {
  await using server = await startMailServer({
    answers: { EHLO: "250-mail.example.net\r\n250 AUTH PLAIN LOGIN", STARTTLS: "502 not here" },
  });
  await expect(smtpDelivery({ url: server.url("me:canary@"), from })(mail)).rejects.toThrow("STARTTLS");
  expect(server.said.join("\n")).not.toMatch(/AUTH|canary|Y2FuYXJ5/);
});

test("a mail server that is not there is a failure", async () => {
  await expect(smtpDelivery({ url: "smtp://127.0.0.1:1", from })(mail)).rejects.toThrow("ECONNREFUSED");
});
