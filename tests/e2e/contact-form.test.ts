/** The contact form in the browser: one mail however it is sent, and the keyboard. */
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { outbox, type Participant, signUp } from "../integration/server/participant.ts";
import { sharedBrowser } from "./browser.ts";
import { waitForFocusedField, readFocus, pressTab, tabTo } from "./keyboard.ts";
import { openPage } from "./open-page.ts";
import type { VisitOptions } from "./visit.ts";
import { fill, submit } from "./wizard.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), sharedBrowser()]);
  participant = await signUp(server.url, "4242420001");
});
afterAll(() => server[Symbol.asyncDispose]());

const open = (options: VisitOptions = {}) => openPage(browser, server.url, { as: participant, ...options });

describe("the contact form", () => {
  test("is one mail that support can reply to, even if Submit is pressed repeatedly", async () => {
    const page = await open();
    const before = (await outbox(server.url)).length;
    await page.goto("/manager?view=contact");
    await fill(page, {
      "Your name": "Zoë Łuk",
      "Your email address": "zoe@example.org",
      "Your message": "First line\nsecond line 🙂",
    });
    let requestCount = 0;
    const allPressed = Promise.withResolvers<void>();
    await page.route(`**${calls.submitContactForm.path}`, async (route) => {
      requestCount += 1;
      await allPressed.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Submit" }).dblclick();
    await page.getByLabel("Your name").press("Enter");
    await page.getByLabel("Your name").press("Enter");
    allPressed.resolve();
    await page
      .getByText("Your message has been submitted. We will get back to you as soon as we can. Thank you")
      .waitFor();
    expect(requestCount).toBe(1);
    const mails = await outbox(server.url);
    expect(mails).toHaveLength(before + 1);
    expect(mails[0]).toMatchObject({
      to: "support@demo.example",
      subject: "Message from AS4242420001 through Peerdeck Demo",
      text: "AS4242420001, Zoë Łuk <zoe@example.org>, wrote:\n\nFirst line\nsecond line 🙂\n",
    });
  });

  test("a retry after a lost response does not send a second mail", async () => {
    const page = await open();
    const before = (await outbox(server.url)).length;
    await page.goto("/manager?view=contact");
    await fill(page, {
      "Your name": "Ada",
      "Your email address": "ada@example.org",
      "Your message": "Are you there?",
    });
    await page.route(
      `**${calls.submitContactForm.path}`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await submit(page);
    await page.getByText(/^Failed to submit message\./).waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("Are you there?");
    await submit(page);
    await page.getByText("Your message has been submitted.").waitFor();
    expect(await outbox(server.url)).toHaveLength(before + 1);
  });

  test("works with the keyboard alone, from the menu", async () => {
    const page = await open({ viewport: { width: 1280, height: 900 } });
    await page.goto("/manager");
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await tabTo(page, "Contact");
    await page.keyboard.press("Enter");
    await waitForFocusedField(page, "Contact", "Your name");
    await page.keyboard.type("Ada");
    await pressTab(page);
    await page.keyboard.type("ada@example.org");
    await pressTab(page);
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Enter");
    await page.keyboard.type("alone");
    expect(await pressTab(page)).toBe("Submit");
    await page.keyboard.press("Enter");
    await page.getByText("Your message has been submitted.").waitFor();
    await expect.poll(async () => (await readFocus(page)).name).toMatch(/^Your message has been submitted\./);
    expect((await outbox(server.url))[0]?.text).toContain("By keyboard\nalone\n");
    expect(await pressTab(page)).toBe("Write another message");
  });
});
