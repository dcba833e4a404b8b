import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { provider } from "#mocks/provider.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { chooseNode, family, fillToConfirm } from "../../spec/jsdom/wizard.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { forward, openWizard, press } from "./open-wizard.tsx";

const restored = "This is what you entered before. Cancel discards it.";
const backend = useBackend();

it("the node step shows a message if every node is already peered", async () => {
  for (const { name } of provider.nodes) addPeering(backend.state, { node: name });
  await openWizard(backend);
  const message = "You already peer with every node. To change a peering, open it on the dashboard.";
  expect(await screen.findByText(message)).toBeTruthy();
  expect(forward().disabled).toBe(true);
});

describe("a node that is not reached", () => {
  const notice = /^za01\.dn42\.example\.net cannot be reached at the moment\./;

  it("is marked, and can be chosen", async () => {
    const { user } = await openWizard(backend);
    const button = await screen.findByRole("button", {
      name: "za01.dn42.example.net Johannesburg, South Africa",
      description: /^Unknown does not respond/,
    });
    expect(screen.getAllByText("Unknown")).toHaveLength(1);
    expect(screen.queryByText(notice)).toBeNull();
    await user.click(button);
    expect(screen.getByText(notice)).toBeTruthy();
    expect(forward().disabled).toBe(false);
  });

  it("is not marked by a server without that call", async () => {
    backend.refuse("getNetworkSummary", 404, { message: "No such call." });
    await openWizard(backend);
    await screen.findByRole("group", { name: "Node" });
    await expect.poll(() => backend.sent("getNetworkSummary").length).toBeGreaterThan(0);
    expect(screen.queryByText("Unknown")).toBeNull();
  });
});

describe("moving between steps", () => {
  it("shows the node's full name, moves the focus, and keeps what was entered, by buttons and history", async () => {
    const { user, router } = await openWizard(backend);
    await screen.findByText("Create new peering · Step 1 of 4");
    await press("syd01.dn42.example.net Sydney, Australia");
    expect(screen.getByText("Create new peering on syd01.dn42.example.net · Step 1 of 4")).toBeTruthy();
    await press("Next");
    await screen.findByText("Create new peering on syd01.dn42.example.net · Step 2 of 4");
    expect(document.activeElement?.textContent).toBe("BGP details");
    expect(screen.queryByText(restored)).toBeNull();
    await family("IPv4");
    await press("Next");
    await fill({ Port: "51820" });
    await press("Back");
    await screen.findByRole("heading", { name: "BGP details" });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "IPv4" }).checked).toBe(true);
    router.history.back();
    await screen.findByRole("heading", { name: "Your details" });
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Port" }).value).toBe("51820");
    // Also when the wizard is left without Cancel.
    await user.click(screen.getByRole("link", { name: "Dashboard" }));
    await screen.findByRole("heading", { name: "Dashboard" });
    router.history.back();
    await screen.findByText(restored);
    await fill({ Port: "51821" });
    expect(screen.queryByText(restored)).toBeNull();
  });

  it("forgets it on Cancel, which leads to the dashboard", async () => {
    const { user, address } = await openWizard(backend);
    await chooseNode();
    await press("Cancel");
    await screen.findByRole("heading", { name: "Dashboard" });
    expect(address()).toBe("/manager");
    await user.click(screen.getByRole("link", { name: "Create new peering" }));
    await screen.findByRole("group", { name: "Node" });
    expect(screen.queryByRole("button", { pressed: true })).toBeNull();
  });

  it("does not skip an incomplete step that the address asks to skip", async () => {
    const { address } = await openWizard(backend, "/manager/updatepeer/new?step=confirmDetails");
    await screen.findByRole("heading", { name: "Select a node" });
    expect(address()).toBe("/manager/updatepeer/new?step=selectNode");
  });
});

async function conflictedEdit() {
  addPeering(backend.state);
  const app = await openWizard(backend, "/manager/updatepeer/edit?node=syd01");
  await press("Next");
  await fill({ Port: "4000" });
  addPeering(backend.state, { remote_port: "5000" });
  backend.refuseOnce("updatePeerConfig", 409, {
    message: "This peering was changed meanwhile. Nothing of yours was deployed.",
  });
  await press("Next");
  await press("Submit");
  await screen.findByRole("button", { name: "Keep mine" });
  return app;
}

describe("a peering that was changed meanwhile", () => {
  it("stops Submit until a version is chosen, and is replaced by what was entered on 'Keep mine'", async () => {
    await conflictedEdit();
    expect(screen.getByRole("alert").textContent).toContain(
      "This peering was changed meanwhile. Nothing of yours was deployed. Everything you entered is still here.",
    );
    expect(forward("Submit").disabled).toBe(true);
    await press("Keep mine");
    await press("Submit");
    await screen.findByText("mock-3");
    const sent = backend.sent("updatePeerConfig").at(-1) as [unknown, Record<string, unknown>];
    expect([sent[1]["remote_port"], sent[1]["generation"]]).toEqual(["4000", 2]);
  });

  it("replaces what was entered on 'Load the current version'", async () => {
    await conflictedEdit();
    await press("Load the current version");
    await screen.findByRole("heading", { name: "BGP details" });
    await press("Next");
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Port" })).value).toBe("5000");
  });
});

describe("a new peering that the server does not take, with status 409", () => {
  const message =
    "Another deployment of your peering on syd01 is running. Wait for it to finish, then try again.";

  it("has failed as the specification has it, without a body", async () => {
    await openWizard(backend);
    await fillToConfirm();
    backend.reply("updatePeerConfig", () => new Response(null, { status: 409 }));
    await press("Submit");
    await screen.findByRole("heading", { name: "Failed" });
    expect(screen.getByText("unknown")).toBeTruthy();
    await press("Review and redeploy");
    await screen.findByRole("heading", { name: "Confirm your details" });
    expect(screen.queryByRole("button", { name: "Keep mine" })).toBeNull();
  });

  it("can be submitted again after another deployment, since it has no other version", async () => {
    await openWizard(backend);
    await fillToConfirm();
    backend.refuseOnce("updatePeerConfig", 409, { message });
    await press("Submit");
    expect((await screen.findByRole("alert")).textContent).toBe(
      `${message} Everything you entered is still here.`,
    );
    expect(screen.queryByRole("button", { name: "Keep mine" })).toBeNull();
    await press("Submit");
    await screen.findByText("mock-1");
  });

  it("leads to the peering that was created meanwhile", async () => {
    const { address } = await openWizard(backend);
    await fillToConfirm();
    addPeering(backend.state);
    backend.refuseOnce("updatePeerConfig", 409, { message: "It has changed.", field: "generation" });
    await press("Submit");
    await screen.findByRole("button", { name: "Keep mine" });
    await press("Open the existing peering");
    await waitFor(() => expect(address()).toContain("/manager/updatepeer/edit?node=syd01"));
  });
});

const listedSteps = () =>
  within(screen.getByRole("list", { name: "Steps" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

describe("the frame of a step", () => {
  it("names the steps, and says which answer is missing", async () => {
    await openWizard(backend);
    await chooseNode();
    expect(document.title).toMatch(/^Step 2 of 4: BGP details · /);
    expect(document.querySelector("main [aria-current=step]")?.textContent).toBe("BGP details");
    const missing = "Choose Yes or No to continue.";
    expect(screen.queryByText(missing)).toBeNull();
    await family("IPv4");
    await family("Both");
    expect(forward().disabled).toBe(true);
    const question = screen.getByRole("group", { name: /Extended Nexthop/ });
    const hint = document.getElementById(question.getAttribute("aria-describedby") ?? "");
    expect(hint?.textContent).toContain(missing);
    await press("Back");
    expect(await screen.findByRole("heading", { name: "Select a node" })).toBeTruthy();
    expect(document.title).toMatch(/^Step 1 of 4: Select a node · /);
  });

  it("changes its texts although a browser's translation has wrapped them", async () => {
    await openWizard(backend);
    await fillToConfirm();
    await press("Back");
    await screen.findByRole("heading", { name: "Your details" });
    wrapTexts(document.querySelector("main form"));
    await press("Next");
    await screen.findByRole("button", { name: "Submit" });
    expect(screen.queryByRole("button", { name: "Next" })).toBeNull();
    expect(listedSteps()).toEqual([
      "Select a node (done)",
      "BGP details (done)",
      "Your details (done)",
      "Confirm your details",
    ]);
    expect(screen.getByText(/· Step 4 of 4$/)).toBeTruthy();
  });
});

/** Does to every text what Chrome's translation does. */
function wrapTexts(root: Element | null): void {
  if (!root) throw new Error("nothing to translate");
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: ChildNode[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as ChildNode);
  for (const text of texts) {
    const font = document.createElement("font");
    text.replaceWith(font);
    font.append(text.textContent ?? "");
  }
}

it("a submit after the login session has ended leads to the login screen, and back to the saved form", async () => {
  const { address } = await openWizard(backend);
  await fillToConfirm();
  backend.state.loggedInAs = null;
  await press("Submit");
  await screen.findByRole("heading", { name: "Login page" });
  await fill({ ASN: participant.asn, Password: participant.password });
  await press("Login");
  await screen.findByRole("heading", { name: "Confirm your details" });
  expect(screen.getByText("router.example.org")).toBeTruthy();
  expect(address()).toBe("/manager/updatepeer/new?step=confirmDetails");
  // The title names the chosen node while the submit is pending.
  backend.state.hanging.push("updatePeerConfig");
  await press("Submit");
  expect(await screen.findByRole("heading", { name: "Deploying to syd01.dn42.example.net" })).toBeTruthy();
});
