import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

const sentText =
  "We have send a link to the email address associated with this AS number. Please click the link in the email to set your account password.";
const failedText = "There was an issue making this request. Please try again or contact the support team.";

const screens = [
  {
    path: "/register",
    title: "Register",
    intro:
      "Please enter your dn42 AS number to get started. We will send a verification link to the e-mail address associated to this AS number.",
    asn: "4242420999",
    body: { asn: "4242420999" },
    again: "Back to registration",
  },
  {
    path: "/forgotPassword",
    title: "Password Reset",
    intro: "Enter your dn42 AS number and we will send you an email with a password reset link.",
    asn: participant.asn,
    body: { asn: participant.asn, password_reset: "Yes" },
    again: "Back to password reset",
  },
] as const;

async function submit(path: string, asn: string) {
  const app = await openApp(path);
  const field = await screen.findByLabelText("ASN");
  const next = screen.getByRole("button", { name: "Next" });
  expect(next.hasAttribute("disabled")).toBe(true);
  await app.user.type(field, asn);
  expect(next.hasAttribute("disabled")).toBe(false);
  await app.user.click(next);
  return { ...app, field };
}

describe.each(screens)("$path", ({ path, title, intro, asn, body, again }) => {
  it("says what it is for and that the mail was sent", async () => {
    await openApp(path);
    expect(await screen.findByRole("heading", { name: title })).toBeTruthy();
    expect(screen.getByText(intro)).toBeTruthy();
  });

  it("sends the tidied AS number and says so", async () => {
    await submit(path, `AS${asn} `);
    const sent = await screen.findByText(sentText);
    expect(document.activeElement?.contains(sent)).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
    expect(backend.sent("sendEmailVerification")).toEqual([body]);
    expect(screen.getByRole("link", { name: "Back to login" }).getAttribute("href")).toBe("/login");
  });

  it.each([
    [409, "User already exists", "User already exists."],
    [404, "AS number cannot be found", "AS number cannot be found."],
    [429, "Slow down", "Too many requests, please wait and try again later."],
  ] as const)("tells %i %s in the form", async (status, message, shown) => {
    backend.refuse("sendEmailVerification", status, { message });
    const { field } = await submit(path, asn);
    expect((await screen.findByRole("alert")).textContent).toBe(shown);
    expect((field as HTMLInputElement).value).toBe(asn);
  });

  it("tells a refused value at the field, until it is changed", async () => {
    const message = "This is not an AS number. Nothing was sent.";
    backend.refuse("sendEmailVerification", 422, { message, field: "asn" });
    const { user, field } = await submit(path, "banana");
    await screen.findByText(message);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toBe(message);
    await user.type(field, "1");
    expect(screen.queryByText(message)).toBeNull();
  });

  it.each([
    ["a missing registry", 503, "The registry copy is too old. Nothing was sent; try again later."],
    ["an unknown refusal", 422, "No usable address in the registry."],
  ] as const)("goes to the error tab for %s, with the server's reason", async (_, status, message) => {
    backend.refuse("sendEmailVerification", status, { message });
    await submit(path, asn);
    expect(await screen.findByRole("heading", { name: "Error" })).toBeTruthy();
    expect(screen.getByText(failedText)).toBeTruthy();
    expect(screen.getByText(message)).toBeTruthy();
    expect(screen.getByRole("link", { name: again }).getAttribute("href")).toBe(path);
    expect(screen.queryByLabelText("ASN")).toBeNull();
  });

  it("goes to the error tab when the server cannot be reached", async () => {
    backend.cutOff("sendEmailVerification");
    await submit(path, asn);
    expect(await screen.findByText(failedText)).toBeTruthy();
    expect(
      screen.getByText("The server could not be reached. Check your connection and try again."),
    ).toBeTruthy();
  });
});

describe("/register", () => {
  it("links to the login screen", async () => {
    await openApp("/register");
    const link = await screen.findByRole("link", { name: "Already have an account? Login" });
    expect(link.getAttribute("href")).toBe("/login");
  });
});
