import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { provider } from "#mocks/provider.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

async function openLogin(address = "/login") {
  const app = await openApp(address);
  const login = await screen.findByRole("button", { name: "Login" });
  return { ...app, login, password: screen.getByLabelText("Password") };
}

const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

describe("login", () => {
  it("sends the AS number normalised, and leads back to the address that required the login", async () => {
    const { user, login, address } = await openLogin("/manager/updatepeer/new");
    expect(address()).toBe("/login?from=%2Fmanager%2Fupdatepeer%2Fnew");
    const [, first, rest] = /^(.{4})(.+)$/.exec(participant.asn) ?? [];
    await fill({ ASN: ` as ${first}\u00a0${rest} `, Password: participant.password });
    await user.click(login);
    await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });
    expect(address()).toMatch(/^\/manager\/updatepeer\/new\b/);
    expect(backend.sent("login")).toEqual([{ username: participant.asn, password: participant.password }]);
  });

  it.each([
    ["/login", "/manager"],
    ["/login?from=%2Fmanager%3Fview%3Dcontact", "/manager?view=contact"],
    ["/login?from=https%3A%2F%2Fevil.example%2F", "/manager"],
    ["/login?from=%2F%2Fevil.example", "/manager"],
    ["/login?from=%2Fmanagers", "/manager"],
    ["/login?from=%2Fmanager%5Cevil", "/manager"],
  ])("%s leads a participant who is logged in on to %s", async (open, at) => {
    backend.state.loggedInAs = participant.asn;
    const { address } = await openApp(open);
    await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });
    expect(address()).toBe(at);
  });

  it("says below the error why the operator has blocked the AS", async () => {
    backend.reply("login", () =>
      Response.json({ message: "AS4242420001 is blocked: Leaks." }, { status: 403 }),
    );
    const { user, login } = await openLogin();
    await fill({ ASN: participant.asn, Password: participant.password });
    await user.click(login);
    const [sentence, reason] = (await screen.findByRole("alert")).firstElementChild?.childNodes ?? [];
    expect([sentence?.textContent, reason?.textContent]).toEqual([
      "An error occured. Please try again.",
      "AS4242420001 is blocked: Leaks.",
    ]);
  });

  it("shows the form while the server is slow, and leads on when it has responded", async () => {
    const { promise: responded, resolve: respond } = Promise.withResolvers<void>();
    backend.state.loggedInAs = participant.asn;
    backend.reply("authStatus", async () => {
      await responded;
      return Response.json({ isAuthenticated: true, username: participant.asn });
    });
    const { address } = await openLogin();
    expect(address()).toBe("/login");
    respond();
    await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });
    expect(address()).toBe("/manager");
  });

  it("stays where a login session has ended, even if the server says otherwise", async () => {
    backend.state.loggedInAs = participant.asn;
    const { router, user, address } = await openApp("/manager");
    await screen.findByRole("heading", { name: "Dashboard" });
    const visited: string[] = [];
    router.subscribe("onBeforeLoad", ({ toLocation }) => visited.push(toLocation.href));
    let confirmed = 0;
    backend.reply("authStatus", () => {
      const isAuthenticated = router.latestLocation.pathname === "/login";
      if (isAuthenticated) confirmed++;
      return Response.json({ isAuthenticated, username: isAuthenticated ? participant.asn : "" });
    });
    await user.click(screen.getByRole("link", { name: "Stats" }));
    await screen.findByRole("button", { name: "Login" });
    await expect.poll(() => confirmed).toBe(1);
    await expect.poll(() => router.state.status).toBe("idle");
    expect(address()).toBe("/login?from=%2Fmanager%3Fview%3Dstats");
    expect(visited.filter((href) => href.startsWith("/login"))).toHaveLength(1);
  });

  it.each([
    ["http://localhost:3000", true],
    ["https://peering.example.net", true],
    ["https://peering.example.net", false],
  ])(
    "of an app for %s offers the form where a login can be kept, secure: %s",
    async (publicUrl, isSecureContext) => {
      vi.stubGlobal("isSecureContext", isSecureContext);
      backend.reply("provider", { ...provider, public_url: publicUrl });
      await openApp("/manager?view=contact");
      await screen.findByRole("heading", { level: 1, name: "Login page" });
      if (isSecureContext) {
        expect(screen.getByLabelText("Password")).toBeTruthy();
        return;
      }
      expect(within(screen.getByRole("main")).getByRole("status").textContent).toBe(
        "This address is not encrypted, so you cannot log in here. Log in at https://peering.example.net.",
      );
      expect(screen.queryByLabelText("Password")).toBeNull();
      expect(screen.getByRole("link", { name: "https://peering.example.net" }).getAttribute("href")).toBe(
        "https://peering.example.net/login?from=%2Fmanager%3Fview%3Dcontact",
      );
      expect(screen.getByRole("link", { name: "Register for an account" })).toBeTruthy();
    },
  );

  it.each(["/login", "/manager/updatepeer/new"])(
    "opened at %s says that the browser did not keep it, and keeps what was typed",
    async (open) => {
      backend.reply("authStatus", { isAuthenticated: false, username: "" });
      const { user, login, address } = await openLogin(open);
      await fill({ ASN: participant.asn, Password: participant.password });
      await user.click(login);
      await screen.findByText(
        "Your browser did not keep the login. Allow cookies for this site, then try again.",
      );
      expect(address()).toMatch(/^\/login\b/);
      expect([value("ASN"), value("Password")]).toEqual([participant.asn, participant.password]);
    },
  );

  it("shows the password on request, and hides it again before it is sent", async () => {
    const { user, login, password } = await openLogin();
    const toggle = screen.getByRole("button", { name: "Show password" });
    const state = () => [
      password.getAttribute("type"),
      password.getAttribute("autocomplete"),
      password.getAttribute("spellcheck"),
      toggle.getAttribute("aria-pressed"),
    ];
    expect(state()).toEqual(["password", "current-password", "false", "false"]);
    await fill({ ASN: participant.asn, Password: participant.password });
    await user.click(toggle);
    expect(document.activeElement).toBe(password);
    expect(state()).toEqual(["text", "current-password", "false", "true"]);
    backend.state.hanging.push("login");
    await user.click(login);
    expect(state()).toEqual(["password", "current-password", "false", "false"]);
  });
});
