import { expect } from "vitest";
import { tunnelDetails } from "../../e2e/tunnel-details.ts";
import type { Scenario } from "../scene.ts";
import type { Screen } from "../screen.ts";
import { logIn } from "./log-in.ts";

/** The main job: by keyboard as far as the tabs of the peering, then by mouse. */
export const peeringScenario: Scenario = {
  name: "a participant creates a peering by keyboard, with a draft, edits and deletes it by mouse, and logs out",
  asn: "4242420001",
  async run(scene) {
    const { screen } = scene;
    await logIn(scene);
    await create(screen);
    await switchTabs(screen);
    await edit(screen);
    await remove(screen);
    await screen.open("/manager");
    await screen.click("button", "Logout");
    await screen.waitFor("link", "Go to Peering Manager");
    await screen.open("/manager");
    await screen.waitFor("heading", "Login page");
  },
};

async function create(screen: Screen): Promise<void> {
  await screen.waitForFocus("Dashboard");
  await screen.tabTo("Create new peering");
  await screen.press("Enter");

  await screen.waitForFocus("Select a node");
  await screen.tabTo(/^per01/);
  await screen.press("Space");
  await screen.tabTo("Next");
  await screen.press("Enter");

  await screen.waitForFocus("BGP details");
  // Tab goes to the family that is chosen, and the arrow keys to its neighbours. WebKit does not wrap around.
  await screen.tabTo(/^(IPv4|Both)$/);
  await screen.press((await screen.focus()).name === "IPv4" ? "ArrowRight" : "ArrowLeft");
  await screen.waitForFocus("IPv6");
  await screen.tabTo(/^(Yes|No)$/);
  if ((await screen.focus()).name === "Yes") await screen.press("ArrowRight");
  await screen.waitForFocus("No");
  await screen.press("Space");
  await screen.tabTo("Next");
  await screen.press("Enter");

  await screen.waitForFocus("Your details");
  for (const [label, value] of tunnelDetails("fe80::51")) {
    await screen.tabTo(label);
    await screen.type(value);
  }
  const typed = await readFields(screen);
  await screen.waitUntil("The draft is not stored", storesDraft);
  await screen.reload();
  await screen.waitFor("heading", "Your details");
  await expect.poll(() => readFields(screen)).toEqual(typed);
  await screen.tabTo("Port");
  await screen.press("Enter");
  await screen.waitForFocus("Confirm your details");
  await screen.tabTo("Submit");
  await screen.press("Enter");
  await screen.waitForFocus("Success!");
}

async function switchTabs(screen: Screen): Promise<void> {
  await screen.tabTo("View peering");
  await screen.press("Enter");
  await screen.waitForFocus("per01.demo.dn42");
  // Without the tabs, Tab would lead to the link of the header with the same name.
  await screen.waitFor("tab", "Status");
  await screen.tabTo("Status");
  for (const [key, tab] of [
    ["ArrowRight", "Detailed Info"],
    ["End", "Edit Peering"],
    ["Home", "Status"],
    ["End", "Edit Peering"],
    ["ArrowLeft", "Troubleshooting"],
  ] as const) {
    await screen.press(key);
    await screen.waitForFocus(tab);
  }
  await screen.tabTo("Check BGP config");
  await screen.press("Enter");
  await screen.waitFor("dialog", "BGP Config Check");
  await screen.waitForFocus("Close");
  await screen.press("Escape");
  await screen.waitForNone("dialog", "BGP Config Check");
  await screen.waitForFocus("Check BGP config");
}

async function edit(screen: Screen): Promise<void> {
  await screen.click("tab", "Edit Peering");
  await screen.waitForText("198.51.100.7:51820");
  await screen.click("link", "Change your details");
  await screen.waitFor("heading", "BGP details");
  await screen.click("radio", "Both");
  await screen.click("radio", "IPv6");
  await screen.click("button", "Next");
  await screen.fill("Port", "51999");
  await screen.click("button", "Next");
  await screen.waitFor("heading", "Confirm your details");
  await screen.click("button", "Submit");
  await screen.waitFor("heading", "Success!");
}

async function remove(screen: Screen): Promise<void> {
  await screen.click("link", "View peering");
  await screen.click("tab", "Edit Peering");
  await screen.waitForText("198.51.100.7:51999");
  await screen.click("button", "Delete peering");
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
