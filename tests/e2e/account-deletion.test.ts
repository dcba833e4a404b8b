/** A participant deletes the account in the browser, with the keyboard. */
import { expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { demoServer } from "../integration/server/demo-server.ts";
import { logIn, peerUpdate, signUp, waitForTask } from "../integration/server/participant.ts";
import { sharedBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";

const asn = "4242420001";
const password = "a sentence for the tests";

test("the peerings are removed, the account is gone, and the browser is logged out", async () => {
  await using server = await demoServer();
  const participant = await signUp(server.url, asn, password);
  const { taskID } = await participant.call(calls.updatePeerConfig, [
    { username: asn },
    peerUpdate({ node: "syd01" }),
  ]);
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });

  const page = await openPage(await sharedBrowser(), server.url, { as: participant });
  await page.goto("/manager/account");
  await page.getByRole("button", { name: "Delete the account…" }).press("Enter");
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("syd01.demo.dn42").waitFor();
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByLabel("Password", { exact: true }).press("Enter");
  await page.getByText("The account and its peerings are deleted.").waitFor();
  await page.reload();
  await page.getByText("The account and its peerings are deleted.").waitFor();
  await expect(logIn(server.url, asn, password)).rejects.toMatchObject({ status: 401 });
  await page.goto("/manager");
  await page.waitForURL("**/login**");
});
