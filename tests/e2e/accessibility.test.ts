/**
 * Every screen in its main states, as a phone in the light scheme and a desktop in the dark one show it:
 * axe finds nothing, nothing is wider than the phone, and the console stays silent.
 */
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import {
  caller,
  ended,
  mailedToken,
  type Participant,
  peerUpdate,
  setNodeMode,
  signUp,
} from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { nothing, openLooking } from "./look.ts";
import { answer, chooseNode, fill, fillToConfirm, next, submit } from "./wizard.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  // A deployment to a node that is offline waits for longer than the tests take.
  [server, browser] = await Promise.all([demoServer({ waitMs: 600_000 }), launchBrowser()]);
  participant = await signUp(server.url, "4242420001");
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

const open = (as?: Participant) => openLooking(browser, server.url, as);

/** A peering of the participant's, deployed over HTTP. */
async function deploy(changes: Partial<PeerUpdate>): Promise<void> {
  const { asn, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate(changes)]);
  expect((await ended(participant, taskID)).status).toBe("success");
}

describe("signed out", () => {
  test("the public and the account screens", async () => {
    const { page, look, found } = await open();
    await page.goto("/");
    await look("home", page.getByRole("link", { name: "Go to Peering Manager" }));
    await page.goto("/nowhere");
    await look("not found", page.getByText("404 not found :("));
    await page.goto("/login");
    await look("login", page.getByRole("button", { name: "Login" }));
    await fill(page, { ASN: participant.asn, Password: "not this one" });
    await page.getByRole("button", { name: "Login" }).click();
    await look("login refused", page.getByText("Invalid username or password."));
    await page.goto("/login?tab=resetPassword");
    await look("reset tab", page.getByRole("heading", { name: "Password Reset" }));
    await page.goto("/forgotPassword");
    await look("forgot password", page.getByRole("heading", { name: "Password Reset" }));
    await page.goto("/register");
    await look("register", page.getByRole("button", { name: "Next" }));
    await fill(page, { ASN: "4242429999" });
    await page.getByRole("button", { name: "Next" }).click();
    await look("AS not found", page.getByText("AS number cannot be found."));
    await fill(page, { ASN: "4242420002" });
    await page.getByRole("button", { name: "Next" }).click();
    await look("mail sent", page.getByText("We have send a link"));
    expect(found()).toEqual(nothing);
  });

  test("setting a password", async () => {
    const { page, look, found } = await open();
    const passwords = (password: string, confirmation: string) =>
      fill(page, { Password: password, "Confirm password": confirmation });
    await page.goto("/setPassword");
    await look("bad URL", page.getByText("Bad URL."));
    await page.goto(`/setPassword?token=${"x".repeat(43)}`);
    await passwords("a sentence for the tests", "another");
    await submit(page);
    await look("mismatch", page.getByText("Passwords do not match."));
    await passwords("a sentence for the tests", "a sentence for the tests");
    await submit(page);
    await look("invalid token", page.getByText("Token invalid or expired, please try again."));
    await caller(server.url)(calls.sendEmailVerification, { asn: "4242420003" });
    await page.goto(`/setPassword?token=${await mailedToken(server.url)}`);
    await passwords("a sentence for the tests", "a sentence for the tests");
    await submit(page);
    await look("password set", page.getByText("Success!"));
    expect(found()).toEqual(nothing);
  });
});

describe("signed in", () => {
  test("the dashboard and the overview", async () => {
    const { page, look, found } = await open(participant);
    await page.goto("/manager");
    await look("no peerings", page.getByText("You don't appear to have any peerings yet."));
    await deploy({ node: "syd01" });
    await deploy({ node: "per01", remote_port: "9" });
    await deploy({ node: "za01", remote_port: "13" });
    await setNodeMode(server.url, "sin01", "offline");
    const { asn, call } = participant;
    await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node: "sin01" })]);
    await page.goto("/manager");
    await look("peerings", page.getByText("Deploying…"));
    await page.getByRole("button", { name: "= menu" }).click();
    await look("menu toggled", page.getByRole("heading", { name: "Dashboard" }));
    await page.goto("/manager?node=syd01");
    await look("up", page.getByText("Established ✅"));
    await page.goto("/manager?node=per01");
    await look("tunnel down", page.getByText("Down ❌"));
    await page.goto("/manager?node=za01");
    await look("session down", page.getByText("Up ✅"));
    await page.goto("/manager?node=sin01");
    await look("node offline", page.getByText("sin01 cannot be reached."));
    await page.goto("/manager?node=syd01&tab=edit");
    await look("edit tab", page.getByText("To paste on your side"));
    await page.getByRole("button", { name: "Delete peering" }).click();
    await look("delete dialog", page.getByText("Are you sure you want to delete this peering?"));
    await page.goto("/manager/updatepeer/delete?node=syd01");
    await look("delete step", page.getByText("Are you sure you want to delete the peering?"));
    await page.getByRole("button", { name: "Yes" }).click();
    await look("deleted", page.getByText("You have successfully deleted the peering on this node."));
    expect(found()).toEqual(nothing);
  });

  test("the wizard and its deployments", async () => {
    const { page, look, found } = await open(participant);
    await page.goto("/manager/updatepeer/new");
    await look("node step", page.getByText("Only one peering per provider node"));
    await chooseNode(page, "ny01");
    await look("family step", page.getByText("Address family"));
    await answer(page, /Address family/, "Both");
    await answer(page, /Extended Nexthop/, "No");
    await answer(page, /custom/, "Yes");
    await look("family step for both", page.getByLabel("Enter the IPv6 address"));
    await next(page);
    await fill(page, {
      "Public IP or hostname": "!",
      Port: "0",
      "Public key": "x",
      "IPv4 tunnel address": "1",
    });
    await page.getByLabel("IPv6 tunnel address").focus();
    await look("invalid details", page.getByText("Invalid value"));
    await fillToConfirm(page, "ny01", "172.20.10.1");
    await look("confirm step", page.getByRole("button", { name: "Submit" }));
    await submit(page);
    await look("value refused", page.getByText("The server refused the value marked below."));
    await setNodeMode(server.url, "ny01", "refuse");
    await fill(page, { "IPv4 tunnel address": "172.20.1.5" });
    await next(page);
    await submit(page);
    await look("failed", page.getByText("Possible causes"));
    await setNodeMode(server.url, "ny01", "offline");
    await page.getByRole("button", { name: "Review and redeploy" }).click();
    await submit(page);
    await look("waiting", page.getByText("ny01 cannot be reached."));
    await setNodeMode(server.url, "ny01", "normal");
    await look("deployed", page.getByText("Here is the config for your side:"));
    expect(found()).toEqual(nothing);
  });
});
