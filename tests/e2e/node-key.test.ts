/** A node gets another WireGuard key, and a participant switches a tunnel to it. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { deployPeering, startNodeRekey } from "../integration/server/participant.ts";
import { waitFor } from "../support/wait-for.ts";
import { openAudited } from "./axe-audit.ts";
import { useDemo } from "./demo-scene.ts";
import { tabTo } from "./keyboard.ts";

const demo = useDemo({ watchEveryMs: 500, observeEveryMs: 500 });
const minuteMs = 60_000;

beforeAll(async () => {
  await deployPeering(demo.participant, "per01");
  // No handshake ever comes to this port.
  await deployPeering(demo.participant, "de01", { remote_port: "9" });
});

/** Changes the only switch of a tunnel that was deployed, as if time had passed. Resolves when there was one. */
async function changeSwitch(assignment: string, condition: string): Promise<void> {
  using database = new DatabaseSync(path.join(demo.dataDir, "peerdeck.sqlite"), { timeout: 5_000 });
  const update = database.prepare(`update node_key_switches set ${assignment} where ${condition}`);
  await waitFor(() => {
    if (update.run().changes === 0) throw new Error("no switch was deployed");
  });
}

async function openAnnouncement(node: string) {
  const { page, audit } = await openAudited(demo.url, demo.participant);
  await page.goto(`/manager?node=${node}`);
  await page.getByRole("tab", { name: "Status" }).waitFor();
  await startNodeRekey(demo.url, node);
  const notice = page.getByRole("region", { name: "The node gets a new public key" });
  // Without a reload.
  await notice.waitFor();
  const line = (await notice.getByText(/^PublicKey = /).textContent()) ?? "";
  return { page, audit, notice, nextKey: line.replace("PublicKey = ", "") };
}

/** From the focus on the notice's button to the deployment's end. */
async function confirmSwitch(page: Page): Promise<void> {
  const dialog = page.getByRole("alertdialog", { name: "Switch to the new public key" });
  await dialog.getByRole("button", { name: "Switch" }).click();
  await page.getByRole("heading", { name: "Success!" }).waitFor();
}

test("a participant switches with the keyboard, and the handshake ends what waits", async () => {
  const { page, audit, notice, nextKey } = await openAnnouncement("per01");
  await audit("announced", notice);
  await page.getByRole("link", { name: "Dashboard" }).first().focus();
  await tabTo(page, "Switch to the new key");
  await page.keyboard.press("Enter");
  await audit("confirmation", page.getByText("Only this tunnel changes."));
  await confirmSwitch(page);
  await page.getByText(`PublicKey = ${nextKey}`).waitFor();
  await page.getByRole("link", { name: "View peering" }).click();
  await page.getByText("The node has a new public key").first().waitFor();
  expect(await notice.count()).toBe(0);
  // The simulated handshake came before the deployment ended, which is when the server begins to count.
  await changeSwitch("deployed_at = deployed_at - 10000", "deployed_at is not null");
  await page.getByText("The session is Established.").waitFor();
  expect(await page.getByText("The node has a new public key").count()).toBe(0);
});

test("a tunnel without a handshake goes back, and its participant reads it on the open page", async () => {
  const { page, audit, notice } = await openAnnouncement("de01");
  await notice.getByRole("button", { name: "Switch to the new key" }).click();
  await confirmSwitch(page);
  await page.getByRole("link", { name: "View peering" }).click();
  await page.getByText("The node has a new public key").first().waitFor();
  await changeSwitch(`watched_from = watched_from - ${6 * minuteMs}`, "seen_at is not null");
  await audit(
    "returned",
    notice.getByText(/^The server switched the tunnel back to the previous public key/),
  );
  await expect.poll(() => notice.locator("[aria-disabled]").count()).toBe(0);
});
