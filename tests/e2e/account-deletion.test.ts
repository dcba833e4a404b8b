/** A participant deletes the account in the browser, with the keyboard. */
import { expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { demoServer } from "../integration/server/demo-server.ts";
import {
  logIn,
  peerUpdate,
  randomKey,
  setNodeMode,
  signUp,
  waitForTask,
} from "../integration/server/participant.ts";
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

  const page = await openPage(await sharedBrowser(), server.url, { as: participant, ownTab: true });
  await page.goto("/manager/settings");
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
  // The screen is loaded after its address, from the server that this test closes.
  await page.getByRole("button", { name: "Login", exact: true }).waitFor();
});

test("while a node is unreachable, a notice says so once, the screen names the next attempt, and the account can be kept", async () => {
  await using server = await demoServer({ waitMs: 300 });
  const participant = await signUp(server.url, asn, password);
  const deploy = async (node: string) => {
    const update = peerUpdate({ node, public_key: randomKey() });
    const { taskID } = await participant.call(calls.updatePeerConfig, [{ username: asn }, update]);
    expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  };
  const waitForReason = async (reason: string) =>
    await expect
      .poll(
        async () => {
          // A read of the node's state is a call to it, which notices that it responds again.
          await participant
            .call(calls.getNodeStatus, { username: asn, node: "syd01" })
            .catch(() => undefined);
          return (await participant.call(calls.getAccount, { username: asn })).deletion?.peerings;
        },
        { timeout: 30_000 },
      )
      .toMatchObject([{ taskID: null, reason: expect.stringContaining(reason) }]);
  await deploy("syd01");
  await setNodeMode(server.url, "syd01", "offline");
  const page = await openPage(await sharedBrowser(), server.url, { as: participant, ownTab: true });
  const stream = page.waitForResponse((response) => response.url().endsWith("/api/events"));
  await page.goto("/manager/settings");
  await stream;
  const deletion = await participant.call(calls.deleteAccount, { username: asn, password });
  const notice = page.getByText("Your peering on syd01.demo.dn42 could not be deleted");
  await notice.waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await waitForReason("could not be reached in time. The peering was kept.");

  // The next attempt fails as well. Its end reaches the page before that of a deployment that comes later.
  await setNodeMode(server.url, "syd01", "refuse");
  await waitForReason("refuse");
  await setNodeMode(server.url, "syd01", "offline");
  await participant.call(calls.cancelAccountDeletion, { username: asn });
  await deploy("per01");
  await page.getByText("Your peering is deployed to per01.demo.dn42.").waitFor();
  expect(await notice.count()).toBe(0);

  const again = await participant.call(calls.deleteAccount, { username: asn, password });
  expect(again.id).not.toBe(deletion.id);
  await page.goto(`/accountDeletion?id=${again.id}`);
  await page
    .getByText("could not be reached in time. The peering was kept. The server tries again within 1 min.")
    .waitFor();
  await page.getByRole("link", { name: "Back to Settings" }).click();
  await page.getByRole("link", { name: "Show progress" }).click();
  await page.getByRole("button", { name: "Keep the account" }).click();
  await page.getByText("The account is kept.").waitFor();
  expect(await participant.call(calls.getPeeredNodes, { username: asn })).toEqual(["syd01"]);
});
