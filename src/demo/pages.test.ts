import { expect, test } from "vitest";
import { demoPages } from "./pages.ts";

test("the outbox shows the Reply-To address of a mail that has one", async () => {
  const mail = { to: "b@example.net", subject: "", text: "", at: "" };
  const mails = [
    { ...mail, replyTo: "ada@example.org" },
    { ...mail, replyTo: null },
  ];
  const pages = demoPages({ mailOutbox: { listMails: async () => mails } } as never, []);
  const text = await (await pages.request("/demo/outbox")).text();
  const [message, link] = text.split("<article>").slice(1);
  expect(message).toContain("<p>Reply-To <strong>ada@example.org</strong></p>");
  expect(link).not.toContain("Reply-To");
});
