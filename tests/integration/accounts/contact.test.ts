import { expect, test } from "vitest";
import { createTestDatabase, describeEachDatabase } from "../../setup/databases.ts";
import { serveAccounts, signedIn } from "./account-server.ts";

const message = {
  username: "4242420001",
  name: "Ada Quill",
  email: "ada@example.org",
  message: "The tunnel to de01 is down.",
};

describeEachDatabase("the contact form", (openDatabase) => {
  test("sends a mail that support can answer", async () => {
    await using server = await serveAccounts(await openDatabase());
    const session = await signedIn(server);
    server.pass(1000);
    expect(await server.post("/api/submitContactForm", message, session)).toMatchObject({
      status: 200,
      body: {},
    });
    const row = await server.database.db
      .selectFrom("outbox")
      .select(["recipient", "reply_to", "subject", "body"])
      .orderBy("created_at", "desc")
      .executeTakeFirst();
    expect(row).toEqual({
      recipient: "support@example.net",
      reply_to: "ada@example.org",
      subject: "Message from AS4242420001 through Example Network",
      body: "AS4242420001, Ada Quill <ada@example.org>, wrote:\n\nThe tunnel to de01 is down.\n",
    });
  });

  test("a refused value names its field, and nothing is sent", async () => {
    await using server = await serveAccounts(await openDatabase());
    const session = await signedIn(server);
    const sent = (await server.outbox.kept()).length;
    for (const [field, value] of [
      ["name", "<img onerror>"],
      ["email", "a@b.co\r\nBcc: x@y"],
      ["message", "nul \u0000"],
    ] as const) {
      const answer = await server.post("/api/submitContactForm", { ...message, [field]: value }, session);
      expect(answer).toMatchObject({ status: 422, body: { field } });
    }
    expect(await server.outbox.kept()).toHaveLength(sent);
  });

  test("takes ten messages an hour from an AS", async () => {
    await using server = await serveAccounts(await openDatabase());
    const session = await signedIn(server);
    for (let count = 0; count < 10; count += 1) {
      const another = { ...message, message: `Number ${count}` };
      expect(await server.post("/api/submitContactForm", another, session)).toMatchObject({ status: 200 });
    }
    expect(await server.post("/api/submitContactForm", message, session)).toMatchObject({
      status: 429,
      body: { message: "Too many messages. Nothing was changed; wait 60 minutes and try again." },
    });
  });

  test("a message that is submitted again, as after an answer that got lost, is one mail", async () => {
    await using server = await serveAccounts(await openDatabase());
    const session = await signedIn(server);
    const before = (await server.outbox.kept()).length;
    const submit = (changes = {}) =>
      server.post("/api/submitContactForm", { ...message, ...changes }, session);
    const answers = await Promise.all([submit(), submit(), submit()]);
    server.pass(14 * 60_000);
    answers.push(await submit({ name: " Ada Quill " }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await server.outbox.kept()).toHaveLength(before + 1);
    server.pass(60_000);
    expect(await submit()).toMatchObject({ status: 200 });
    expect(await submit({ message: "Another." })).toMatchObject({ status: 200 });
    expect(await server.outbox.kept()).toHaveLength(before + 3);
  });

  test("a restarted server knows what was submitted before", async () => {
    const at = await openDatabase();
    const before = await serveAccounts(at);
    const session = await signedIn(before);
    expect(await before.post("/api/submitContactForm", message, session)).toMatchObject({ status: 200 });
    await before[Symbol.asyncDispose]();
    await using after = await serveAccounts(at);
    const mails = (await after.outbox.kept()).length;
    expect(await after.post("/api/submitContactForm", message, session)).toMatchObject({ status: 200 });
    expect(await after.outbox.kept()).toHaveLength(mails);
    expect(
      await after.post("/api/submitContactForm", { ...message, message: "Another." }, session),
    ).toMatchObject({ status: 200 });
    expect(await after.outbox.kept()).toHaveLength(mails + 1);
  });

  test("a message that was refused is not taken for one that was sent", async () => {
    await using server = await serveAccounts(await openDatabase(), {
      limits: { contactPerAs: { points: 1, seconds: 1 } },
    });
    const session = await signedIn(server);
    const mails = (await server.outbox.kept()).length;
    const submit = (text: string) =>
      server.post("/api/submitContactForm", { ...message, message: text }, session);
    expect(await submit("One.")).toMatchObject({ status: 200 });
    expect(await submit("Two.")).toMatchObject({ status: 429 });
    await expect.poll(async () => (await submit("Two.")).status, { timeout: 10_000 }).toBe(200);
    expect(await server.outbox.kept()).toHaveLength(mails + 2);
  });

  test("is for those who are signed in, and for themselves", async () => {
    await using server = await serveAccounts(await openDatabase());
    expect(await server.post("/api/submitContactForm", message)).toMatchObject({ status: 401 });
    const session = await signedIn(server);
    expect(
      await server.post("/api/submitContactForm", { ...message, username: "4242420002" }, session),
    ).toMatchObject({ status: 403, body: { field: "username" } });
  });
});

test("two servers with one database make one mail of what both get at once", async () => {
  await using database = await createTestDatabase();
  const at = { kind: "postgres", url: database.url } as const;
  await using one = await serveAccounts(at);
  await using other = await serveAccounts(at);
  const session = await signedIn(one);
  const mails = (await one.outbox.kept()).length;
  const servers = [one, other, one, other, one, other];
  const answers = await Promise.all(
    servers.map((server) => server.post("/api/submitContactForm", message, session)),
  );
  expect(answers.map(({ status }) => status)).toEqual(servers.map(() => 200));
  expect(await other.outbox.kept()).toHaveLength(mails + 1);
});
