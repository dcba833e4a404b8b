import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { demoServer } from "./demo-server.ts";
import { outbox, signUp } from "./participant.ts";

test("the demo's outbox shows the Reply-To address of a mail that has one", async () => {
  await using server = await demoServer();
  const ada = await signUp(server.url, "4242420001");
  await ada.call(calls.submitContactForm, {
    username: ada.asn,
    name: "Ada Quill",
    email: "ada@example.org",
    message: "The tunnel to de01 is down.",
  });
  const [message, link] = (await (await fetch(`${server.url}/demo/outbox`)).text())
    .split("<article>")
    .slice(1);
  expect(message).toContain("<p>Reply-To <strong>ada@example.org</strong></p>");
  expect(link).not.toContain("Reply-To");
  expect((await outbox(server.url)).map(({ replyTo }) => replyTo)).toEqual(["ada@example.org", null]);
});
