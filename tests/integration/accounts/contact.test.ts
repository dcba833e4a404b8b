import { expect, test } from "vitest";
import { createTestDatabase, describeWithDatabase, postgresTemplate } from "../../support/databases.ts";
import { serveAccounts, registerAndLogIn } from "./account-server.ts";
import { passDate, stopDate } from "./stopped-date.ts";

const message = {
  username: "4242420001",
  name: "Ada Quill",
  email: "ada@example.org",
  message: "The tunnel to de01 is down.",
};

describeWithDatabase("the contact form", { postgres: "campaigns" }, (openDatabase) => {
  test("sends a mail that support can reply to, and none with an invalid value", async () => {
    await using server = await serveAccounts(await openDatabase());
    const session = await registerAndLogIn(server);
    server.pass(1000);
    expect(await server.post("/api/submitContactForm", message, session)).toMatchObject({
      status: 200,
      body: {},
    });
    const [mail] = await server.mailOutbox.listMails();
    expect(mail).toMatchObject({
      to: "support@example.net",
      replyTo: "ada@example.org",
      subject: "Message from AS4242420001 through Example Network",
      text: "AS4242420001, Ada Quill <ada@example.org>, wrote:\n\nThe tunnel to de01 is down.\n",
    });
    for (const [field, value] of [
      ["name", "<img onerror>"],
      ["email", "a@b.co\r\nBcc: x@y"],
      ["message", "nul \u0000"],
    ] as const) {
      const response = await server.post("/api/submitContactForm", { ...message, [field]: value }, session);
      expect(response).toMatchObject({ status: 422, body: { field } });
    }
    expect((await server.mailOutbox.listMails())[0]).toEqual(mail);
  });

  test("a message that is submitted again, for example after a lost response, is one mail", async () => {
    await using server = await serveAccounts(await openDatabase());
    const session = await registerAndLogIn(server);
    const before = (await server.mailOutbox.listMails()).length;
    const submit = (changes = {}) =>
      server.post("/api/submitContactForm", { ...message, ...changes }, session);
    const responses = await Promise.all([submit(), submit(), submit()]);
    server.pass(14 * 60_000);
    responses.push(await submit({ name: " Ada Quill " }));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await server.mailOutbox.listMails()).toHaveLength(before + 1);
    server.pass(60_000);
    expect(await submit()).toMatchObject({ status: 200 });
    expect(await submit({ message: "Another." })).toMatchObject({ status: 200 });
    expect(await server.mailOutbox.listMails()).toHaveLength(before + 3);
  });

  test("accepts ten messages an hour from an AS, and one over the limit later", async () => {
    stopDate();
    await using server = await serveAccounts(await openDatabase());
    const session = await registerAndLogIn(server);
    const submit = (text: string) =>
      server.post("/api/submitContactForm", { ...message, message: text }, session);
    for (let count = 0; count < 10; count += 1)
      expect(await submit(`Number ${count}`)).toMatchObject({ status: 200 });
    const mails = (await server.mailOutbox.listMails()).length;
    expect(await submit("Two.")).toMatchObject({
      status: 429,
      body: { message: "Too many messages. Nothing was changed; wait 60 minutes and try again." },
    });
    passDate(3_599_000);
    expect(await submit("Two.")).toMatchObject({ status: 429 });
    passDate(1_000);
    expect(await submit("Two.")).toMatchObject({ status: 200 });
    expect(await server.mailOutbox.listMails()).toHaveLength(mails + 1);
  });
});

test("two servers with one database write one mail for a message that both receive", async () => {
  await using database = await createTestDatabase(postgresTemplate);
  const at = { kind: "postgres", url: database.url } as const;
  await using one = await serveAccounts(at);
  await using other = await serveAccounts(at);
  const session = await registerAndLogIn(one);
  const mails = (await one.mailOutbox.listMails()).length;
  const servers = [one, other, one, other, one, other];
  const responses = await Promise.all(
    servers.map((server) => server.post("/api/submitContactForm", message, session)),
  );
  expect(responses.map(({ status }) => status)).toEqual(servers.map(() => 200));
  expect(await other.mailOutbox.listMails()).toHaveLength(mails + 1);
});
