/** Steps that write, restore and submit forms. */
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright";
import { dumpStorage } from "../../e2e/storage-dump.ts";
import { choose, chooseNode, fill, nextStep } from "../../e2e/wizard.ts";
import { timeoutMs } from "./device.ts";
import { InvariantError } from "../campaigns/campaign.ts";
import { type Draft, isReachable, isLoggedIn, type Model, recordTyped } from "./model.ts";
import { expectHeading, expectText, expectFieldValue, isOnScreen } from "./screen.ts";
import type { Step } from "./step.ts";

const details = "/manager/updatepeer/new?step=enterDetails";
const pollMs = 50;
const nodes = ["syd01", "per01", "sin01", "de01", "ny01", "za01"] as const;

/** Waits until the typed values are stored on the device, because a killed tab can lose unstored values. */
async function waitUntilStored(page: Page, draft: Draft): Promise<void> {
  const limit = Date.now() + 3_000;
  for (const value of Object.values(draft)) {
    while (!(await isStored(page, value))) {
      if (Date.now() > limit)
        throw new InvariantError(`«${value}» was typed and is not stored on the device`);
      await pause(pollMs);
    }
  }
}

async function isStored(page: Page, text: string): Promise<boolean> {
  const stored = await dumpStorage(page, "databases");
  return stored.some(({ content: holds }) => holds.includes(text));
}

/** Whether the device has stored that it watches this deployment. */
function isWatched(page: Page, taskID: string): Promise<boolean> {
  return isStored(page, JSON.stringify(["owned", "task", taskID]));
}

/** Waits until the watched deployment is stored on the device, or has already finished. */
async function waitUntilWatched(page: Page, taskID: string): Promise<void> {
  const ended = page.getByRole("heading", { name: /^(Success!|Failed)$/ });
  if (await ended.isVisible()) return;
  while (!(await isWatched(page, taskID))) {
    if (await ended.isVisible())
      throw new InvariantError(`the deployment ${taskID} ended and was never stored`);
    await pause(pollMs);
  }
}

/** Waits until the app has noticed the end of the deployment, even if the tab was killed or offline meanwhile. */
async function waitUntilUnwatched(page: Page, taskID: string): Promise<void> {
  const limit = Date.now() + timeoutMs;
  while (await isWatched(page, taskID)) {
    if (Date.now() > limit)
      throw new InvariantError(`the app has not noticed the end of the deployment ${taskID}`);
    await pause(pollMs);
  }
}

function freeNode(model: Readonly<Model>): string | undefined {
  const peered = model.peeredNodes.get(model.participant?.asn ?? "");
  return nodes.find((node) => peered?.has(node) === false);
}

/** Fills in a new peering from the first step to its details. */
export function startPeering(draft: Draft): Step {
  return {
    name: "starts a new peering",
    isPossible: (model) => isLoggedIn(model) && isReachable(model) && freeNode(model) !== undefined,
    maxLoads: 1,
    run: async ({ device }, model) => {
      const page = device.page();
      await chooseNode(page, freeNode(model) ?? "");
      await choose(page, /Address family/, "IPv6");
      await nextStep(page);
      await fill(page, { "Public IP or hostname": "203.0.113.7", Port: "51820" });
      await fill(page, draft);
      recordTyped(model, draft);
      model.wizard = draft;
      await waitUntilStored(page, draft);
    },
  };
}

const returns = "returns to the peering";

export const returnToPeering: Step = {
  name: returns,
  isPossible: (model) => isLoggedIn(model) && model.wizard !== null,
  maxLoads: 1,
  run: async ({ device }, { wizard }) => {
    const page = device.page();
    await page.goto(details, { waitUntil: "commit" });
    for (const [label, value] of Object.entries(wizard ?? {})) await expectFieldValue(page, label, value);
  },
};

/** Returns to the peering and types other values. */
export function rewritePeering(draft: Draft): Step {
  return {
    ...returnToPeering,
    name: `${returns} and types`,
    run: async (environment, model) => {
      await returnToPeering.run(environment, model);
      const page = environment.device.page();
      await fill(page, draft);
      recordTyped(model, draft);
      model.wizard = draft;
      await waitUntilStored(page, draft);
    },
  };
}

export const cancelPeering: Step = {
  ...returnToPeering,
  name: `${returns} and cancels`,
  run: async (environment, model) => {
    await returnToPeering.run(environment, model);
    await environment.device.page().getByRole("button", { name: "Cancel" }).click();
    model.wizard = null;
  },
};

export const submitPeering: Step = {
  ...returnToPeering,
  name: `${returns} and submits`,
  run: async (environment, model) => {
    await returnToPeering.run(environment, model);
    const page = environment.device.page();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Submit" }).click();
    const started = await Promise.race([
      page.waitForURL(({ searchParams }) => searchParams.has("task")).then(() => true),
      page
        .getByRole("heading", { name: "Failed" })
        .waitFor()
        .then(() => false),
    ]);
    if (started !== isReachable(model))
      throw new InvariantError(started ? "it started without a server" : "it did not start");
    if (!started) return;
    const { searchParams } = new URL(page.url());
    const [taskID, node] = [searchParams.get("task") ?? "", searchParams.get("node") ?? ""];
    model.tasks = [...model.tasks, { taskID, node }];
    const title = `${model.participant?.asn} ${node}`;
    model.sent.deployments.set(title, (model.sent.deployments.get(title) ?? 0) + 1);
    model.peeredNodes.get(model.participant?.asn ?? "")?.add(node);
    await waitUntilWatched(page, taskID);
    // The draft is removed when the deployment succeeds. The model does not know when.
    model.wizard = null;
  },
};

/**
 * Checks that the app notices the end of every started deployment on any screen, that the screen of the last deployment
 * shows its outcome, and that the dashboard lists its peering.
 */
export const checkTasks: Step = {
  name: "checks the deployments",
  isPossible: (model) => isLoggedIn(model) && isReachable(model) && model.tasks.length > 0,
  maxLoads: 3,
  run: async ({ device }, { tasks, sent }) => {
    const page = device.page();
    await page.goto("/manager");
    for (const { taskID } of tasks) await waitUntilUnwatched(page, taskID);
    for (const { taskID, node } of tasks.slice(-1)) {
      await page.goto(`/manager/updatepeer/new?node=${node}&step=awaitingDeployment&task=${taskID}`);
      await expectHeading(page, /^(Success!|Failed)$/);
      const succeeded = await isOnScreen(page.getByRole("heading", { name: "Success!" }));
      sent.outcomes.set(taskID, succeeded ? "success" : "failed");
      await page.goto("/manager");
      if (succeeded) await expectText(page, `node: ${node}`);
    }
  },
};

const contact = "/manager?view=contact";

export function writeMessage(draft: Draft): Step {
  return {
    name: "writes a message",
    isPossible: isLoggedIn,
    maxLoads: 1,
    run: async ({ device }, model) => {
      const page = device.page();
      await page.goto(contact, { waitUntil: "commit" });
      await page.getByLabel("Your message", { exact: true }).waitFor();
      for (const [label, value] of Object.entries(model.contact ?? {}))
        await expectFieldValue(page, label, value);
      await fill(page, draft);
      recordTyped(model, draft);
      model.contact = draft;
      await waitUntilStored(page, draft);
    },
  };
}

export const returnToMessage: Step = {
  name: "returns to the message",
  isPossible: (model) => isLoggedIn(model) && model.contact !== null,
  maxLoads: 1,
  run: async ({ device }, model) => {
    const page = device.page();
    await page.goto(contact, { waitUntil: "commit" });
    for (const [label, value] of Object.entries(model.contact ?? {}))
      await expectFieldValue(page, label, value);
  },
};

export const sendMessage: Step = {
  ...returnToMessage,
  name: "returns to the message and sends it",
  run: async (environment, model) => {
    await returnToMessage.run(environment, model);
    const page = environment.device.page();
    await page.getByRole("button", { name: "Submit" }).click();
    const sent = page.getByText("Your message has been submitted.");
    const failed = page.getByText("Failed to submit message.");
    await sent.or(failed).waitFor({ timeout: timeoutMs });
    if ((await sent.isVisible()) !== isReachable(model))
      throw new InvariantError(isReachable(model) ? "it was not sent" : "it was sent without a server");
    if (!isReachable(model)) return;
    model.sent.messages.push(model.contact?.["Your message"] ?? "");
    model.contact = null;
  },
};
