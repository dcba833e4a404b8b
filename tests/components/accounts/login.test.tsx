import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

async function openLogin(address = "/login") {
  const app = await openApp(address);
  const login = await screen.findByRole("button", { name: "Login" });
  return { ...app, login, asn: screen.getByLabelText("ASN"), password: screen.getByLabelText("Password") };
}

describe("login", () => {
  it("has the title, the fields and the links", async () => {
    await openLogin();
    expect(screen.getByRole("heading", { name: "Login page" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Forgot password?" }).getAttribute("href")).toBe(
      "/forgotPassword",
    );
    expect(screen.getByRole("link", { name: "Register for an account" }).getAttribute("href")).toBe(
      "/register",
    );
  });

  it("keeps the button disabled until both fields are filled", async () => {
    const { user, login, asn, password } = await openLogin();
    expect(login.hasAttribute("disabled")).toBe(true);
    await user.type(asn, participant.asn);
    expect(login.hasAttribute("disabled")).toBe(true);
    await user.type(password, "x");
    expect(login.hasAttribute("disabled")).toBe(false);
  });

  it("leads to the manager, with the AS number tidied", async () => {
    const { user, login, asn, password, address } = await openLogin();
    await user.type(asn, ` as${participant.asn} `);
    await user.type(password, participant.password);
    await user.click(login);
    expect(await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ })).toBeTruthy();
    expect(address()).toBe("/manager");
    expect(backend.sent("login")).toEqual([{ username: participant.asn, password: participant.password }]);
  });

  it("leads back to where the guard caught the person", async () => {
    const { user, login, asn, password, address } = await openLogin("/manager/updatepeer/new");
    expect(address()).toBe("/login?from=%2Fmanager%2Fupdatepeer%2Fnew");
    await user.type(asn, participant.asn);
    await user.type(password, participant.password);
    await user.click(login);
    await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });
    expect(address()).toMatch(/^\/manager\/updatepeer\/new\b/);
  });

  it.each(["https://evil.example/", "//evil.example", "/managers", "/manager\\evil", "/register"])(
    "does not lead to %s",
    async (from) => {
      const { user, login, asn, password, address } = await openLogin(
        `/login?from=${encodeURIComponent(from)}`,
      );
      await user.type(asn, participant.asn);
      await user.type(password, participant.password);
      await user.click(login);
      await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });
      expect(address()).toBe("/manager");
    },
  );

  it("shows a spinner and no second chance while waiting", async () => {
    const { user, login, asn, password } = await openLogin();
    backend.state().hanging.push("login");
    await user.type(asn, participant.asn);
    await user.type(password, participant.password);
    await user.click(login);
    expect(login.getAttribute("aria-busy")).toBe("true");
    expect(login.hasAttribute("disabled")).toBe(true);
  });

  it("tells wrong credentials", async () => {
    const { user, login, asn, password, address } = await openLogin();
    await user.type(asn, participant.asn);
    await user.type(password, "wrong");
    await user.click(login);
    expect((await screen.findByRole("alert")).textContent).toBe("Invalid username or password.");
    expect(address()).toBe("/login");
    expect((asn as HTMLInputElement).value).toBe(participant.asn);
  });

  it.each([
    ["a refusal of another kind", () => backend.refuse("login", 429, { message: "Too many attempts" })],
    ["a broken server", () => backend.refuse("login", 500, { message: "Oops" })],
    ["no network", () => backend.cutOff("login")],
  ])("tells %s", async (_, happens) => {
    const { user, login, asn, password } = await openLogin();
    happens();
    await user.type(asn, participant.asn);
    await user.type(password, participant.password);
    await user.click(login);
    expect((await screen.findByRole("alert")).textContent).toBe("An error occured. Please try again.");
  });

  it("has a password reset in a tab that nothing links to", async () => {
    const { user } = await openApp("/login?tab=resetPassword");
    expect(await screen.findByRole("heading", { name: "Password Reset" })).toBeTruthy();
    await user.type(screen.getByLabelText("ASN"), participant.asn);
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByText(/^We have send a link to the email address/);
    expect(backend.sent("sendEmailVerification")).toEqual([{ asn: participant.asn, password_reset: "Yes" }]);
  });
});
