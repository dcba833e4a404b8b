/** The operator opens and closes nodes while a participant uses the app. */
import { expect, test } from "vitest";
import { setNodeState } from "../integration/server/participant.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";
import { fillToConfirm, nextStep, submit } from "./wizard.ts";

const demo = useDemo({ peerings: ["per01"], watchEveryMs: 1_000 });

test("a node that is closed while its peering is entered is refused, and everything entered is kept", async () => {
  const page = await openPage(demo.url, { as: demo.participant });
  const nodeButton = (node: string) => page.getByRole("button", { name: new RegExp(`^${node}\\.`) });
  await fillToConfirm(page, "de01", "172.20.16.1");
  await setNodeState(demo.url, "de01", "closed");
  await submit(page);
  await page.getByText("de01.demo.dn42 is closed to new peerings. Choose another node.").waitFor();
  expect(await nodeButton("de01").isDisabled()).toBe(true);
  // The list of nodes stays open.
  await setNodeState(demo.url, "syd01", "draining");
  await expect.poll(() => nodeButton("syd01").isDisabled(), { timeout: 15_000 }).toBe(true);
  expect(await nodeButton("syd01").textContent()).toContain("closed, out of service soon");
  await nodeButton("ny01").click();
  await nextStep(page);
  await nextStep(page);
  expect(await page.getByLabel("Public IP or hostname").inputValue()).toBe("198.51.100.7");
});

test("a participant on a draining node reads it on the open dashboard, and is led to a new peering", async () => {
  const page = await openPage(demo.url, { as: demo.participant });
  await page.goto("/manager");
  await page.getByRole("link", { name: "View per01.demo.dn42" }).waitFor();
  await setNodeState(demo.url, "per01", "draining");
  await page.getByText("This node will be taken out of service").waitFor();
  await page.getByRole("button", { name: /^What to do/ }).click();
  await page.getByText(/^The provider will take per01\.demo\.dn42 out of service\./).waitFor();
  await page.locator("li").getByRole("link", { name: "Create new peering" }).click();
  await page.getByRole("heading", { name: "Select a node" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/manager/updatepeer/new");
});
