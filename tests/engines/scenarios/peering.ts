import { expect } from "vitest";
import type { Scenario } from "../scene.ts";
import type { Screen } from "../screen.ts";
import { deploy, fillDetails, logIn, openDetailsStep } from "./steps.ts";

/** The main job by mouse. */
export const peeringScenario: Scenario = {
  name: "a participant logs in, creates a peering with a draft, inspects, edits and deletes it, and logs out",
  async run(scene) {
    const { screen } = scene;
    await logIn(scene);
    await screen.waitForText("You don't appear to have any peerings yet.");
    await create(screen);
    await inspect(screen);
    await edit(screen);
    await remove(screen);

    await screen.open("/manager");
    await screen.waitForText("You don't appear to have any peerings yet.");
    await screen.click("button", "Logout");
    await screen.waitFor("link", "Go to Peering Manager");
    await screen.open("/manager");
    await screen.waitFor("heading", "Login page");
  },
};

async function create(screen: Screen): Promise<void> {
  await openDetailsStep(screen, "syd01");
  await fillDetails(screen);
  const typed = await readFields(screen);
  await screen.waitUntil("The draft is not stored", storesDraft);
  await screen.reload();
  await screen.waitFor("heading", "Your details");
  await expect.poll(() => readFields(screen)).toEqual(typed);

  await deploy(screen);
  await screen.waitForText("Here is the config for your side:");
  await screen.click("link", "Dashboard");
  await screen.waitForText("node: syd01");
}

async function inspect(screen: Screen): Promise<void> {
  await screen.click("link", /^View/);
  await screen.waitForText("Established ✅");
  await screen.waitForText("Up ✅");
  await screen.click("tab", "Detailed Info");
  await screen.waitForText("interface: ");
  await screen.click("tab", "Troubleshooting");
  await screen.click("button", "Check BGP config");
  await screen.waitFor("dialog", "BGP Config Check");
  // The dialog grows when the result arrives.
  await screen.waitForText("The node has responded.");
  await screen.click("button", "Close");
  await screen.waitForNone("dialog", "BGP Config Check");
}

async function edit(screen: Screen): Promise<void> {
  await screen.click("tab", "Edit Peering");
  await screen.waitForText("198.51.100.7:51820");
  await screen.click("link", "Change your details");
  await screen.waitFor("heading", "BGP details");
  await screen.click("button", "Next");
  await screen.fill("Port", "51999");
  await deploy(screen);
}

async function remove(screen: Screen): Promise<void> {
  await screen.click("link", "View peering");
  await screen.click("tab", "Edit Peering");
  await screen.waitForText("198.51.100.7:51999");
  await screen.click("button", "Delete peering");
  await screen.waitForText("Are you sure you want to delete this peering?");
  await screen.click("button", "Yes");
  await screen.waitForText("You have successfully deleted the peering on this node.");
}

function readFields(screen: Screen): Promise<readonly string[]> {
  return screen.tab.evaluate(() =>
    Array.from(document.querySelectorAll("main input"), (input) => (input as HTMLInputElement).value),
  );
}

/** Runs in the page. Whether one of the app's databases contains what was typed last. */
async function storesDraft(): Promise<boolean> {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page has only this function.
  const settle = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error ?? new Error("no reason")));
    });
  for (const { name = "" } of await indexedDB.databases()) {
    const opened = await settle(indexedDB.open(name));
    const values = await Promise.all(
      Array.from(opened.objectStoreNames, (store) =>
        settle(opened.transaction(store).objectStore(store).getAll()),
      ),
    );
    opened.close();
    if (JSON.stringify(values).includes("fe80::51")) return true;
  }
  return false;
}
