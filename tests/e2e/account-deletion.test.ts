/** A participant deletes the account in the browser, with the keyboard. */
import { expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { deployPeering, logIn, setNodeMode, signUp } from "../integration/server/participant.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";

const asn = "4242420002";
const password = "a sentence for the tests";
const demo = useDemo({ waitMs: 300 });

test("the peerings are removed, the account is gone, and the browser is logged out", async () => {
  const participant = await signUp(demo.url, asn, password);
  await deployPeering(participant, "syd01");

  const page = await openPage(demo.url, { as: participant, ownTab: true });
  await page.goto("/manager/settings");
  await page.getByRole("button", { name: "Delete the account…" }).press("Enter");
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("syd01.demo.dn42").waitFor();
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByLabel("Password", { exact: true }).press("Enter");
  await page.getByText("The account and its peerings are deleted.").waitFor();
  await page.reload();
  await page.getByText("The account and its peerings are deleted.").waitFor();
  await expect(logIn(demo.url, asn, password)).rejects.toMatchObject({ status: 401 });
  await page.goto("/manager");
  await page.waitForURL("**/login**");
  // The screen is loaded after its address, from the server that this test closes.
  await page.getByRole("button", { name: "Login", exact: true }).waitFor();
});

test("while a node is unreachable, a notice says so once", async () => {
  const { participant } = demo;
  const { asn: username } = participant;
  const waitForReason = async (reason: string) =>
    await expect
      .poll(
        async () => {
          // A read of the node's state is a call to it, which notices that it responds again.
          await participant.call(calls.getNodeStatus, { username, node: "syd01" }).catch(() => undefined);
          return (await participant.call(calls.getAccount, { username })).deletion?.peerings;
        },
        { timeout: 30_000 },
      )
      .toMatchObject([{ taskID: null, reason: expect.stringContaining(reason) }]);
  await deployPeering(participant, "syd01");
  await setNodeMode(demo.url, "syd01", "offline");
  const page = await openPage(demo.url, { as: participant, ownTab: true });
  const stream = page.waitForResponse((response) => response.url().endsWith("/api/events"));
  await page.goto("/manager/settings");
  await stream;
  await participant.call(calls.deleteAccount, { username, password });
  const notice = page.getByText("Your peering on syd01.demo.dn42 could not be deleted");
  await notice.waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await waitForReason("could not be reached in time.");

  // The next attempt fails as well. Its end reaches the page before that of a deployment that comes later.
  await setNodeMode(demo.url, "syd01", "refuse");
  await waitForReason("refuse");
  await setNodeMode(demo.url, "syd01", "offline");
  await participant.call(calls.cancelAccountDeletion, { username });
  await deployPeering(participant, "per01");
  await page.getByText("Your peering is deployed to per01.demo.dn42.").waitFor();
  expect(await notice.count()).toBe(0);
});
