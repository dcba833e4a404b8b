/**
 * The screens without a login in their states, on a phone in the light scheme and a desktop in the dark scheme: axe
 * reports no violation, nothing is wider than the viewport, and the console stays empty.
 */
import { expect, onTestFinished } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { ProofRequest } from "../../src/contract/call-tables/accounts/proof-calls.ts";
import { nodeHistories } from "../../src/mocks/observations.ts";
import { requestProof } from "../../src/mocks/proofs.ts";
import { caller, mailedToken } from "../integration/server/participant.ts";
import { profileServer } from "../integration/server/profile-server.ts";
import { useDemo } from "./demo-scene.ts";
import {
  createAudit,
  desktop,
  holdThenRefuse,
  openAudited,
  openScreen,
  phoneAndDesktop,
  testShareOfCommit,
} from "./axe-audit.ts";
import { listed, popup, visitMap } from "./map-visit.ts";
import { openUnwatched } from "./open-page.ts";
import { serveWebPage } from "./web-page.ts";
import { fill, submit } from "./wizard.ts";

const demo = useDemo();

const open = (url = demo.url) => openAudited(url);

testShareOfCommit({
  "the screens of the main layout": async () => {
    const { page, audit } = await open();
    await page.goto("/");
    await audit("home", page.getByRole("heading", { name: "What this network is" }));
    await openScreen(page, "/about");
    await audit("about", page.getByText("resolver address"));
    await openScreen(page, "/nowhere");
    await audit("not found", page.getByText("404 not found :("));

    const release = await holdThenRefuse(page, calls.getNodeHistories);
    await openScreen(page, "/status");
    await audit("status, loading", page.locator("main [aria-busy=true]"));
    release();
    await audit("status, failed", page.getByRole("button", { name: "Retry" }));
    await page.unrouteAll({ behavior: "wait" });
    await page.route(`**${calls.getNodeHistories.path}`, (route) =>
      route.fulfill({ json: nodeHistories(Date.now()) }),
    );
    await page.getByRole("button", { name: "Retry" }).click();
    await page.locator("summary").last().click();
    // The last bar shows its details, as under the pointer.
    await page.getByRole("slider").last().focus();
    await audit("status with every state and open tables", page.getByText("does not respond."));
  },

  "/status with a hosted page": async () => {
    const hosted = await serveWebPage("<!doctype html><html lang=en><title>Uptime</title><h1>Uptime</h1>");
    onTestFinished(() => hosted[Symbol.asyncDispose]());
    const provider = await profileServer({ status_page: hosted.url });
    onTestFinished(() => provider[Symbol.asyncDispose]());
    const { page, audit } = await open(provider.url);
    await page.goto("/status");
    await audit("hosted", page.frameLocator("iframe").getByText("Uptime"));
  },

  "a screen that fails, with and without a layout": async () => {
    const { page, consoleErrors } = await openUnwatched(demo.url);
    const audit = createAudit(page);
    await page.route("**/provider.json", (route) => route.fulfill({ status: 500, json: { message: "No." } }));
    await page.goto("/about");
    await audit("without a layout", page.getByRole("button", { name: "Reload the page" }));
    await page.unrouteAll();
    await page.route("**/assets/about-*.js", (route) => route.abort());
    await page.reload();
    // On a phone it is in the menu.
    await page.getByRole("navigation", { name: "Main", includeHidden: true }).waitFor({ state: "attached" });
    await audit("within a layout", page.getByRole("button", { name: "Reload the page" }));
    expect(consoleErrors).toEqual([
      expect.stringMatching(/^CallError: .*No\./),
      expect.stringMatching(/^ChunkLoadError: .*Failed to fetch dynamically imported module/),
    ]);
  },

  "the map with tiles": () => auditMap(true),
  "the map without tiles, in the other schemes": () => auditMap(false),

  "login, registration and a forgotten password": async () => {
    const { asn } = demo.participant;
    const { page, audit } = await open();
    const next = page.getByRole("button", { name: "Next" });
    await page.goto("/login");
    await audit("login", page.getByRole("button", { name: "Login" }));
    await fill(page, { ASN: asn, Password: "not this one" });
    await page.getByRole("button", { name: "Login" }).click();
    await audit("login refused", page.getByText("Invalid username or password."));
    await openScreen(page, "/login?tab=resetPassword");
    await audit("reset tab", page.getByRole("heading", { name: "Password Reset" }));

    await openScreen(page, "/register");
    await audit("register", page.getByRole("heading", { name: "Register" }));
    await fill(page, { ASN: "4242429999" });
    await next.click();
    await audit("AS not found", page.getByText("AS number cannot be found."));
    await fill(page, { ASN: "4242420002" });
    await next.click();
    await audit("mail sent", page.getByText("We have send a link"));

    await openScreen(page, "/forgotPassword");
    await audit("forgot password", page.getByRole("heading", { name: "Password Reset" }));
    await page.route(`**${calls.sendEmailVerification.path}`, (route) =>
      route.fulfill({ status: 429, json: { message: "Not now." } }),
    );
    const tooMany = page.getByText("Too many requests, please wait and try again later.");
    await fill(page, { ASN: asn });
    await next.click();
    await audit("too many mails of forgotten passwords", tooMany);
    await openScreen(page, "/register");
    await page.getByRole("heading", { name: "Register" }).waitFor();
    await fill(page, { ASN: asn });
    await next.click();
    await audit("too many mails of registrations", tooMany);
  },

  "other ways to prove an AS": async () => {
    const { page, audit } = await open();
    const { asn } = demo.participant;
    const show = async (request: ProofRequest) => {
      await page.route(`**${calls.requestProof.path}`, (route) => route.fulfill({ json: request }));
      await page.goto("/register");
      await fill(page, { ASN: asn });
      await page.getByText(`Other ways to prove that AS${asn} is yours`).click();
    };
    const request = requestProof(asn, false);
    await show({ ...request, keys: [] });
    await audit("no key", page.getByRole("button", { name: "Look again" }));
    await show(request);
    await page.getByText("cannot be used").click();
    await audit("keys", page.getByText("1. Choose your key"));
    await page.getByRole("radio", { name: "SSH key" }).check();
    await audit("SSH key", page.getByText("2. Sign this text"));
    await page.getByRole("radio", { name: "PGP key" }).check();
    await page.getByRole("textbox", { name: "Signature" }).fill("hello");
    await page.getByRole("button", { name: "Prove" }).click();
    await audit("PGP key, refused", page.getByText("This contains no signature."));
    await show({ ...request, challenge: { ...request.challenge, expires: Date.now() } });
    await page.getByRole("radio", { name: "SSH key" }).check();
    await audit("expired", page.getByRole("button", { name: "Get a new text" }));
  },

  "setting a password": async () => {
    const { page, audit } = await open();
    const passwords = (password: string, confirmation: string) =>
      fill(page, { Password: password, "Confirm password": confirmation });
    await page.goto("/setPassword");
    await audit("bad URL", page.getByText("Bad URL."));
    await page.goto(`/setPassword?token=${"x".repeat(43)}`);
    await passwords("a sentence for the tests", "another");
    await submit(page);
    await audit("mismatch", page.getByText("Passwords do not match."));
    await passwords("a sentence for the tests", "a sentence for the tests");
    await submit(page);
    await audit("invalid token", page.getByText("Token invalid or expired, please try again."));
    await caller(demo.url)(calls.sendEmailVerification, { asn: "4242420003" });
    await page.goto(`/setPassword?token=${await mailedToken(demo.url)}`);
    await passwords("a sentence for the tests", "a sentence for the tests");
    await submit(page);
    await audit("password set", page.getByText("Success!"));
  },
});

const inOtherSchemes = phoneAndDesktop.map(
  ({ viewport, colorScheme }) =>
    ({ viewport, colorScheme: colorScheme === "light" ? "dark" : "light" }) as const,
);

async function auditMap(withTiles: boolean): Promise<void> {
  const map = await visitMap(demo.url, { withTiles, viewport: desktop, ownTab: true });
  const { page } = map;
  const audit = createAudit(page, withTiles ? phoneAndDesktop : inOtherSchemes);
  await page.clock.install();
  const release = await holdThenRefuse(page, calls.mapVPNStatus);
  await page.goto("/map");
  await audit("waiting", listed(page, "za01"));
  await listed(page, "za01").click();
  await audit("popup, waiting", popup(page).getByText("Loading links…"));
  release();
  await audit("refused", page.getByText("The links could not be loaded."));
  await page.route(`**${calls.mapVPNStatus.path}`, (route) =>
    map.links ? route.fulfill({ json: map.links }) : route.abort(),
  );
  await page.goto("/map");
  await page.locator("path.link-down").waitFor({ state: "attached" });
  await audit("links", listed(page, "za01"));
  await audit("popup", popup(page), async () => {
    // The map moves the popup into view when it opens.
    await page.keyboard.press("Escape");
    await listed(page, "za01").click();
  });
  map.links = null;
  await page.clock.fastForward(90_000);
  await audit("last known", page.getByText("Up, last known"));
  await page.goto("/map");
  await audit("not known", page.getByText("Links unknown"));
}
