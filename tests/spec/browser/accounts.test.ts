import type { Page } from "playwright";
import { expect } from "vitest";
import { fill, submit } from "../../e2e/wizard.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { outbox } from "../../integration/server/participant.ts";
import { testRows } from "./rows.ts";
import { expectAddress, button, heading, expectShown } from "./screen.ts";
import { accountRows } from "../table/browser/accounts.ts";

const asn = "4242420001";
const address = "ada@example.org";

/** Requests a link on this screen, follows the link of the mail, and logs in with a new password. */
async function logInByMail(page: Page, url: string, screen: string, password: string): Promise<void> {
  await page.goto(`${url}${screen}`);
  await fill(page, { ASN: asn });
  await button(page, "Next").click();
  await expectShown(page.getByText(/^We have send a link to the email address/));
  const [mail] = await outbox(url);
  expect(mail?.to).toBe(address);
  const mailed = /\S+\/setPassword\?token=[\w-]+/.exec(mail?.text ?? "")?.[0];
  await page.goto(mailed ?? "");
  await fill(page, { Password: password, "Confirm password": password });
  await submit(page);
  await expectShown(heading(page, "Success!"));
  await page.getByRole("link", { name: "Back to login" }).click();
  await fill(page, { ASN: asn, Password: password });
  await button(page, "Login").click();
  await expectAddress(page, "/manager");
  await expectShown(page.getByRole("banner").getByText(asn));
}

testRows(
  accountRows,
  {
    "account-registered": async ({ page }) => {
      await using server = await demoServer();
      await logInByMail(page, server.url, "/register", "a sentence of my own");
      await button(page, "Logout").click();
      await expectAddress(page, "/");
      await logInByMail(page, server.url, "/forgotPassword", "another sentence of my own");
    },
  },
  { ownContext: ["account-registered"] },
);
