/** The manager's views and rare states, audited like the states in `accessibility.test.ts`. */
import type { Page } from "playwright";
import { beforeAll, expect, onTestFinished, vi } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { Provider } from "../../src/contract/entities.ts";
import {
  deployPeering,
  logIn,
  type Participant,
  setNodeMode,
  signUp,
  submitPeering,
  waitForTask,
} from "../integration/server/participant.ts";
import { nodeNames, samplePeerings } from "../tools/pictures/sample-network.ts";
import { fetchReply } from "../tools/pictures/sample-replies.ts";
import { useDemo } from "./demo-scene.ts";
import { openAudited, openScreen, testShareOfCommit } from "./axe-audit.ts";
import { fill, nextStep, submit } from "./wizard.ts";

const demo = useDemo({ observeEveryMs: 1000, peerings: ["per01", "de01"] });
let newcomer: Participant;
/** A deployment to syd01. */
let firstTask: string;

beforeAll(async () => {
  newcomer = await signUp(demo.url, "4242420002");
  firstTask = await submitPeering(demo.participant, "syd01");
  await waitForTask(demo.participant, firstTask);
  const { asn, call } = demo.participant;
  const traffic = async () => {
    const { nodes } = await call(calls.getTrafficSeries, { username: asn });
    return nodes.find(({ node }) => node === "syd01")?.received.length;
  };
  // A page that receives no data requests it again much later.
  await vi.waitFor(async () => expect(await traffic()).toBeGreaterThan(0), {
    timeout: 20_000,
    interval: 200,
  });
});

const open = (as = demo.participant) => openAudited(demo.url, as);

async function refuse(page: Page, { path }: { readonly path: string }): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ status: 500, json: { message: "Not now." } }));
}

testShareOfCommit({
  "the dashboard with a filter": async () => {
    const { page, audit } = await open();
    await page.route(`**${calls.getPeerStatus.path}`, (route) =>
      route.fulfill({ json: samplePeerings(nodeNames(12)) }),
    );
    await page.goto("/manager?state=Down");
    await audit("filtered", page.getByRole("button", { name: /^Down/, pressed: true }));
    await page.getByRole("searchbox").fill("atlantis");
    await audit("no match", page.getByRole("button", { name: "Clear filter" }));
  },

  "Activity and its dialog": async () => {
    const { page, audit } = await open();
    // The open login session is not offered to be that of an intruder.
    await logIn(demo.url, demo.participant.asn);
    await page.goto("/manager/activity");
    await page
      .getByText(/^\d values$/)
      .first()
      .click();
    await audit("activity", page.getByText("public IP or hostname").first());
    await page.getByRole("button", { name: "This was not me" }).first().click();
    await audit("dialog", page.getByRole("button", { name: "End all login sessions" }));
  },

  "passkeys and their dialogs": async () => {
    const { page, audit } = await open();
    await page.route("**/provider.json", async (route) => {
      const response = await fetchReply(route);
      const provider = (await response.json()) as Provider;
      await route.fulfill({ response, json: { ...provider, ways_in: ["passkey"] } });
    });
    const passkey = {
      id: "one",
      name: "Laptop",
      created: 0,
      last_used: 1,
      host: "peering.example.net",
      here: true,
    };
    await page.route(`**${calls.getPasskeys.path}`, (route) =>
      route.fulfill({
        json: [passkey, { ...passkey, id: "two", name: "Phone", last_used: null, here: false }],
      }),
    );
    await page.route(`**${calls.startPasskeyAddition.path}`, (route) =>
      route.fulfill({ status: 403, json: { message: "Log in again.", needs: "recent-login" } }),
    );
    await page.goto("/manager/settings");
    await audit("passkeys", page.getByText("works only at peering.example.net"));
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await audit("login too old", page.getByRole("button", { name: "Log in again" }));
    await page.getByRole("button", { name: "Turn the password off…" }).click();
    await audit("question", page.getByText("Only passkeys log in then."));
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Remove… the passkey Phone" }).click();
    await audit("removal", page.getByText("“Phone” can no longer log in"));
  },

  "Account and its dialog": async () => {
    const { page, audit } = await open();
    await logIn(demo.url, demo.participant.asn);
    await page.goto("/manager/settings");
    await audit("account", page.getByRole("button", { name: "End" }).first());
    await page.getByLabel("Current password").fill("another sentence");
    await page.getByLabel("New password", { exact: true }).fill("a new sentence for the tests");
    await page.getByLabel("Confirm new password").fill("a new sentence for the tests");
    await page.getByRole("button", { name: "Change password" }).click();
    await audit(
      "wrong password",
      page.getByLabel("Current password").and(page.locator("[aria-invalid=true]")),
    );
    await page.getByRole("button", { name: "Delete the account…" }).click();
    await audit("dialog", page.getByRole("alertdialog").getByLabel("Password", { exact: true }));
  },

  "API tokens": async () => {
    const { page, audit } = await open();
    await page.goto("/manager/settings");
    await page.getByRole("button", { name: "Create a token…" }).click();
    await audit("form", page.getByRole("form", { name: "Create an API token" }));
    await page.getByLabel("Name", { exact: true }).fill("x".repeat(61));
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await audit("refused", page.getByText("Use at most 60 characters."));
    await page.getByLabel("Name", { exact: true }).fill("backup");
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await audit("created", page.getByText(/^peerdeck_[\w-]{43}$/));
    await page.getByRole("button", { name: "I have copied the token" }).press("Enter");
    await page.getByRole("button", { name: "Revoke the API token backup" }).press("Enter");
    await audit("dialog", page.getByRole("alertdialog").getByText(/^Scripts that use “backup” are refused/));
    await page.getByRole("button", { name: "Revoke", exact: true }).press("Enter");
    await audit("empty", page.getByText("There are no API tokens."));
  },

  "Node Status, Stats and Contact": async () => {
    const { page, audit } = await open();
    await page.goto("/manager?view=nodes");
    await audit("node status", page.getByRole("img", { name: /^Traffic, syd01/ }).locator("canvas"));
    await openScreen(page, "/manager?view=stats");
    await audit("stats", page.getByRole("img", { name: /^Total routes over IPv6/ }).locator("canvas"));

    await openScreen(page, "/manager?view=contact");
    await audit("contact", page.getByRole("button", { name: "Submit" }));
    await submit(page);
    await audit("refused", page.getByText(/^Failed to submit message\./));
    await fill(page, {
      "Your name": "Ada",
      "Your email address": "ada@example.org",
      "Your message": "x".repeat(5001),
    });
    await audit("too long", page.getByText("Too long. The limit is 5,000 characters."));
    await fill(page, { "Your message": "Hello" });
    await submit(page);
    await audit("submitted", page.getByText("Your message has been submitted."));

    await page.route(`**${calls.getNodeSeries.path}`, (route) => route.abort());
    await page.goto("/manager?view=nodes");
    await audit("samples failed", page.getByText("Not loaded."));
    await page.unrouteAll();
    await page.route(`**${calls.getNodeSeries.path}`, () => {});
    await page.goto("/manager?view=stats");
    await audit("samples on their way", page.getByText("Last sample: …"));
  },

  "Node Status of a participant without peerings, and with the provider's dashboards": async () => {
    const { page, audit } = await open(newcomer);
    await page.goto("/manager?view=nodes");
    await audit("no peerings", page.getByRole("link", { name: "Create a peering" }));
    await page.route("**/provider.json", async (route) => {
      const response = await fetchReply(route);
      const provider = (await response.json()) as Provider;
      await route.fulfill({
        json: { ...provider, dashboards: { ...provider.dashboards, node_cpu: "about:blank#{node}" } },
      });
    });
    await page.goto("/manager?view=nodes");
    await audit("node to choose", page.getByRole("combobox", { name: "Node" }));
  },

  "a peering that changes on another device while its form is open": async () => {
    const { page, audit } = await open();
    await page.goto("/manager/updatepeer/edit?node=de01");
    await page.getByRole("heading", { name: "BGP details" }).waitFor();
    await nextStep(page);
    await fill(page, { Port: "4000" });
    await deployPeering(demo.participant, "de01", { remote_port: "5000" });
    await nextStep(page);
    await submit(page);
    await audit("conflict", page.getByRole("button", { name: "Keep mine" }));
    await refuse(page, calls.getPeerConfig);
    await page.getByRole("button", { name: "Keep mine" }).click();
    await audit("choice failed", page.getByText("The current version could not be loaded."));
  },

  "responses that are missing or unusual": async () => {
    const { page, audit } = await open();
    await page.goto("/manager?node=ny01");
    await audit("no peering", page.getByText("You have no peering on this node."));

    await refuse(page, calls.getPeerConfig);
    await openScreen(page, `/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=${firstTask}`);
    await audit("no config", page.getByText("The peering is deployed, but its config could not be loaded."));

    await refuse(page, calls.getPeerAdvertisedRoutes);
    await openScreen(page, "/manager?node=per01&tab=troubleshooting");
    await page.getByRole("button", { name: "Routes advertised to you" }).click();
    await audit("advertised routes failed", page.getByRole("dialog").getByText("Failed!"));

    await page.route(`**${calls.getPeeredNodes.path}`, (route) =>
      route.fulfill({ json: ["syd01", "per01", "sin01", "de01", "ny01", "za01"] }),
    );
    await page.goto("/manager/updatepeer/new");
    await audit("all peered", page.getByText("You already peer with every node."));
  },

  "an unreachable node": async () => {
    onTestFinished(() => setNodeMode(demo.url, "per01", "normal"));
    await setNodeMode(demo.url, "per01", "offline");
    const { page, audit } = await open();
    await page.goto("/manager?node=per01&tab=details");
    await audit("details failed", page.getByText("The node's output could not be loaded."));
    await openScreen(page, "/manager?node=per01");
    await audit("unknown", page.getByText("Tunnel status"));
    await openScreen(page, "/manager?node=per01&tab=troubleshooting");
    await page.getByRole("button", { name: "Check BGP config" }).click();
    await audit("BGP check failed", page.getByText("Failed to retrieve BGP config."));
  },
});
