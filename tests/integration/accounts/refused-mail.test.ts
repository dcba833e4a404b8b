/** Mails that the receiving mail server refuses for good, and links that end before their mail was delivered. */
import { expect, test } from "vitest";
import { type MailServer, startMailServer } from "#lab/mail-server.ts";
import { createSmtpDelivery } from "#server/mail/smtp.ts";
import { describeWithDatabase, type TestDatabase } from "../../support/databases.ts";
import { type AccountServer, goodPassword, logIn, serveAccounts } from "./account-server.ts";

const asn = "4242420001";
const request = { asn };
const linkPath = "/api/sendEmailVerification";
const hourMs = 3_600_000;
const from = "Example Network <peering@example.net>";

/** Serves accounts of an AS with two contacts, whose mails go to a mail server. */
async function serveWithMail(at: TestDatabase, parts: AsyncDisposableStack) {
  const mail = parts.use(await startMailServer());
  const server = parts.use(
    await serveAccounts(at, {
      deliver: createSmtpDelivery({ url: mail.url(), from, tls: "none", ca: null }),
      registry: {
        findHolder: async () => "ADA-MNT",
        findContacts: async () => ({
          found: true,
          addresses: ["ada@example.org", "gone@example.net"],
          altered: null,
          unreachable: null,
        }),
      },
    }),
  );
  return { mail, server };
}

const deliveries = ({ received }: { readonly received: readonly string[] }) =>
  received.filter((line) => line.startsWith("To: ")).toSorted();
/** The link in the newest mail. */
const lastLink = (mail: MailServer) =>
  [...mail.text().matchAll(/setPassword\?token=([\w-]+)/g)].map(([, token]) => token).at(-1);
const logged = ({ log }: AccountServer, text: string) => log.filter((line) => line.includes(text));

describeWithDatabase("a refused mail", { postgres: "share" }, (openDatabase) => {
  test("is given up after 5xx to the recipient, and the next request and the account name the address", async () => {
    await using parts = new AsyncDisposableStack();
    const { mail, server } = await serveWithMail(await openDatabase(), parts);
    mail.setReplies({ "RCPT TO:<gone@example.net>": "550 5.1.1 <gone@example.net>: no such user" });
    const first = await server.post(linkPath, request);
    // The mail may have been refused already.
    expect(first.body).toMatchObject({ sent_to: ["a…@example.org", "g…@example.net"] });
    await expect.poll(() => logged(server, "mail rejected")).toHaveLength(1);
    expect(logged(server, "mail rejected")[0]).toContain("5.1.1");
    await expect.poll(() => deliveries(mail)).toEqual(["To: ada@example.org"]);

    const refused = [{ address: "g…@example.net", at: Date.UTC(2026, 0, 20) }];
    server.pass(1_000);
    expect((await server.post(linkPath, request)).body).toMatchObject({ refused });
    await expect.poll(() => logged(server, "mail rejected")).toHaveLength(2);
    await expect.poll(() => deliveries(mail)).toHaveLength(2);
    const set = await server.post("/api/setPassword", { token: lastLink(mail), password: goodPassword });
    expect(set.status).toBe(200);
    const session = await logIn(server, goodPassword);
    const readAccount = () => server.post("/api/getAccount", { username: asn }, session);
    expect((await readAccount()).body).toMatchObject({ refused: [{ address: "g…@example.net" }] });

    mail.setReplies({});
    const reset = { asn, password_reset: "Yes" };
    await server.post(linkPath, reset);
    await expect.poll(() => deliveries(mail)).toContain("To: gone@example.net");
    await expect.poll(async () => (await readAccount()).body).not.toHaveProperty("refused");
    expect((await server.post(linkPath, reset)).body).not.toHaveProperty("refused");
  });

  test.each([
    { replies: { ".": "554 5.7.1 spam" }, outcome: "rejected" },
    { replies: { RCPT: "452 4.2.2 mailbox full" }, outcome: "postponed" },
    { replies: { RCPT: "554 5.7.1 <ada@example.org>: Relay access denied" }, outcome: "postponed" },
    { replies: { MAIL: "550 5.7.1 sender not allowed" }, outcome: "postponed" },
  ])("is $outcome after $replies", async ({ replies, outcome }) => {
    await using parts = new AsyncDisposableStack();
    const { mail, server } = await serveWithMail(await openDatabase(), parts);
    mail.setReplies(replies);
    await server.post(linkPath, request);
    await expect.poll(() => logged(server, `mail ${outcome}`)).toHaveLength(2);
    const { body } = await server.post(linkPath, request);
    expect(Object.hasOwn(body as object, "refused")).toBe(outcome === "rejected");
  });

  test("to support is retried, because a participant wrote it", async () => {
    await using parts = new AsyncDisposableStack();
    const { mail, server } = await serveWithMail(await openDatabase(), parts);
    await server.post(linkPath, request);
    await expect.poll(() => deliveries(mail)).toHaveLength(2);
    await server.post("/api/setPassword", { token: lastLink(mail), password: goodPassword });
    const session = await logIn(server, goodPassword);
    mail.setReplies({ RCPT: "550 5.1.1 no such user" });
    const message = { username: asn, name: "Ada", email: "ada@example.org", message: "The tunnel is down." };
    expect((await server.post("/api/submitContactForm", message, session)).status).toBe(200);
    await expect.poll(() => logged(server, "mail postponed")).toHaveLength(1);
    mail.setReplies({});
    server.pass(60_000);
    server.mailOutbox.signal();
    await expect.poll(() => deliveries(mail)).toContain("To: support@example.net");
  });
});

describeWithDatabase(
  "a link that ends before its mail was delivered",
  { postgres: "share" },
  (openDatabase) => {
    test("is not delivered: replaced, expired or used", async () => {
      await using parts = new AsyncDisposableStack();
      const { mail, server } = await serveWithMail(await openDatabase(), parts);
      mail.setReplies({ MAIL: "451 4.3.0 later" });
      await server.post(linkPath, request);
      await expect.poll(() => logged(server, "mail postponed")).toHaveLength(2);
      await server.post(linkPath, request);
      await expect.poll(() => logged(server, "mail postponed")).toHaveLength(4);
      mail.setReplies({});
      server.pass(60_000);
      server.mailOutbox.signal();
      await expect.poll(() => deliveries(mail)).toHaveLength(2);
      await expect.poll(() => logged(server, "mail dropped")).toHaveLength(2);
      expect(new Set(mail.text().match(/token=[\w-]+/g)).size).toBe(1);

      mail.setReplies({ MAIL: "451 4.3.0 later" });
      await server.post(linkPath, request);
      await expect.poll(() => logged(server, "mail postponed")).toHaveLength(6);
      mail.setReplies({});
      server.pass(hourMs);
      server.mailOutbox.signal();
      await expect.poll(() => logged(server, "mail dropped")).toHaveLength(4);
      expect(deliveries(mail)).toHaveLength(2);
    });
  },
);
