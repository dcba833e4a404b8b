/** Writing, leaving and finding again what is half written; sending it. */
import type { Page } from "playwright";
import { everythingKept } from "../e2e/kept.ts";
import { patienceMs } from "./device.ts";
import { Violation } from "./look.ts";
import { type Draft, isReachable, isSignedIn, type Model, remember } from "./model.ts";
import { expectHeading, expectText, expectTyped, isOnScreen } from "./screen.ts";
import type { Step } from "./step.ts";

const details = "/manager/updatepeer/new?step=enterDetails";
const nodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"] as const;

async function fill(page: Page, draft: Draft): Promise<void> {
  for (const [label, value] of Object.entries(draft))
    await page.getByLabel(label, { exact: true }).fill(value);
}

/** What was typed a moment ago is on the device; a killed tab cannot say so afterwards. */
async function waitUntilKept(page: Page, draft: Draft): Promise<void> {
  const limit = Date.now() + 3_000;
  for (const value of Object.values(draft)) {
    while (
      !(await everythingKept(page)).some(
        ({ where, holds }) => where.startsWith("IndexedDB") && holds.includes(value),
      )
    ) {
      if (Date.now() > limit) throw new Violation(`«${value}» was typed and is not kept on the device`);
    }
  }
}

/** Whether the device remembers that it has to watch this deployment. */
async function isWatched(page: Page, taskID: string): Promise<boolean> {
  const kept = await everythingKept(page);
  return kept.some(({ holds }) => holds.includes(JSON.stringify(["own", "task", taskID])));
}

/** It outlives the tab from now on, unless it has ended by the time that anybody can look. */
async function waitUntilWatched(page: Page, taskID: string): Promise<void> {
  const ended = page.getByRole("heading", { name: /^(Success!|Failed)$/ });
  if (await ended.isVisible()) return;
  while (!(await isWatched(page, taskID)))
    if (await ended.isVisible())
      throw new Violation(`the deployment ${taskID} ended and was never remembered`);
}

/** Whatever was begun before the last kill or the last hour without a network: its end was noticed. */
async function waitUntilUnwatched(page: Page, taskID: string): Promise<void> {
  const limit = Date.now() + patienceMs;
  while (await isWatched(page, taskID))
    if (Date.now() > limit) throw new Violation(`nobody has noticed the end of the deployment ${taskID}`);
}

function freeNode(model: Readonly<Model>): string | undefined {
  const peered = model.peered.get(model.who?.asn ?? "");
  return nodes.find((node) => peered?.has(node) === false);
}

/** A new peering, from the first step up to its details. */
export function beginsPeering(draft: Draft): Step {
  return {
    name: "begins a new peering",
    when: (model) => isSignedIn(model) && isReachable(model) && freeNode(model) !== undefined,
    loads: 1,
    happen: async ({ device }, model) => {
      const page = device.page();
      const next = page.getByRole("button", { name: "Next" });
      await page.goto("/manager/updatepeer/new");
      await page.getByRole("button", { name: new RegExp(`^${freeNode(model)}\\.`) }).click();
      await next.click();
      await page
        .getByRole("group", { name: /Address family/ })
        .getByText("IPv6", { exact: true })
        .click();
      await next.click();
      await fill(page, { "Public IP or hostname": "203.0.113.7", Port: "51820" });
      await fill(page, draft);
      remember(model, draft);
      model.wizard = draft;
      await waitUntilKept(page, draft);
    },
  };
}

const comesBack = "comes back to the peering";

export const returnsToPeering: Step = {
  name: comesBack,
  when: (model) => isSignedIn(model) && model.wizard !== null,
  loads: 1,
  happen: async ({ device }, { wizard }) => {
    const page = device.page();
    await page.goto(details, { waitUntil: "commit" });
    for (const [label, value] of Object.entries(wizard ?? {})) await expectTyped(page, label, value);
  },
};

/** The same with other words. */
export function rewritesPeering(draft: Draft): Step {
  return {
    ...returnsToPeering,
    name: `${comesBack} and types`,
    happen: async (world, model) => {
      await returnsToPeering.happen(world, model);
      const page = world.device.page();
      await fill(page, draft);
      remember(model, draft);
      model.wizard = draft;
      await waitUntilKept(page, draft);
    },
  };
}

export const cancelsPeering: Step = {
  ...returnsToPeering,
  name: `${comesBack} and cancels`,
  happen: async (world, model) => {
    await returnsToPeering.happen(world, model);
    await world.device.page().getByRole("button", { name: "Cancel" }).click();
    model.wizard = null;
  },
};

export const submitsPeering: Step = {
  ...returnsToPeering,
  name: `${comesBack} and submits`,
  happen: async (world, model) => {
    await returnsToPeering.happen(world, model);
    const page = world.device.page();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Submit" }).click();
    const began = await Promise.race([
      page.waitForURL(({ searchParams }) => searchParams.has("task")).then(() => true),
      page
        .getByRole("heading", { name: "Failed" })
        .waitFor()
        .then(() => false),
    ]);
    if (began !== isReachable(model))
      throw new Violation(began ? "it began without a server" : "it did not begin");
    if (!began) return;
    const { searchParams } = new URL(page.url());
    const [taskID, node] = [searchParams.get("task") ?? "", searchParams.get("node") ?? ""];
    model.tasks = [...model.tasks, { taskID, node }];
    model.peered.get(model.who?.asn ?? "")?.add(node);
    await waitUntilWatched(page, taskID);
    // It goes when the deployment has succeeded, and who sees that is not said.
    model.wizard = null;
  },
};

/**
 * The end of every deployment that was begun here is noticed on any screen, its own tells it, and the dashboard knows
 * its peering.
 */
export const looksForTasks: Step = {
  name: "looks for the deployments",
  when: (model) => isSignedIn(model) && isReachable(model) && model.tasks.length > 0,
  loads: 3,
  happen: async ({ device }, { tasks }) => {
    const page = device.page();
    await page.goto("/manager");
    for (const { taskID } of tasks) await waitUntilUnwatched(page, taskID);
    for (const { taskID, node } of tasks.slice(-1)) {
      await page.goto(`/manager/updatepeer/new?node=${node}&step=awaitingDeployment&task=${taskID}`);
      await expectHeading(page, /^(Success!|Failed)$/);
      const succeeded = await isOnScreen(page.getByRole("heading", { name: "Success!" }));
      await page.goto("/manager");
      if (succeeded) await expectText(page, `node: ${node}`);
    }
  },
};

const contact = "/manager?view=contact";

export function writesMessage(draft: Draft): Step {
  return {
    name: "writes a message",
    when: isSignedIn,
    loads: 1,
    happen: async ({ device }, model) => {
      const page = device.page();
      await page.goto(contact, { waitUntil: "commit" });
      await page.getByLabel("Your message", { exact: true }).waitFor();
      for (const [label, value] of Object.entries(model.contact ?? {})) await expectTyped(page, label, value);
      await fill(page, draft);
      remember(model, draft);
      model.contact = draft;
      await waitUntilKept(page, draft);
    },
  };
}

export const returnsToMessage: Step = {
  name: "comes back to the message",
  when: (model) => isSignedIn(model) && model.contact !== null,
  loads: 1,
  happen: async ({ device }, model) => {
    const page = device.page();
    await page.goto(contact, { waitUntil: "commit" });
    for (const [label, value] of Object.entries(model.contact ?? {})) await expectTyped(page, label, value);
  },
};

export const sendsMessage: Step = {
  ...returnsToMessage,
  name: "comes back to the message and sends it",
  happen: async (world, model) => {
    await returnsToMessage.happen(world, model);
    const page = world.device.page();
    await page.getByRole("button", { name: "Submit" }).click();
    const sent = page.getByText("Your message has been submitted.");
    const failed = page.getByText("Failed to submit message.");
    await sent.or(failed).waitFor({ timeout: patienceMs });
    if ((await sent.isVisible()) !== isReachable(model))
      throw new Violation(isReachable(model) ? "it was not sent" : "it was sent without a server");
    if (isReachable(model)) model.contact = null;
  },
};
