import { cleanup, screen } from "@testing-library/react";
import { HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { participant } from "#mocks/state.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

const sentText =
  "We have send a link to the email address associated with this AS number. Please click the link in the email to set your account password.";

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

describe.each(screens)("$path", ({ path, asn, body }) => {
  it("sends the normalised AS number, and moves the focus to the confirmation", async () => {
    await submit(path, `AS${asn} `);
    const sent = await screen.findByText(sentText);
    expect(document.activeElement?.contains(sent)).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
    expect(backend.sent("sendEmailVerification")).toEqual([body]);
    expect(screen.getByRole("link", { name: "Back to login" }).getAttribute("href")).toBe("/login");
  });
  it("names the masked addresses that the mail went to, if the server does", async () => {
    await submit(path, asn);
    await screen.findByText(sentText);
    expect(document.activeElement?.textContent).toContain(
      "Sent to n…@example.net and i…@example.org, as listed in the registry.",
    );
    cleanup();
    backend.reply("sendEmailVerification", () => HttpResponse.json({}));
    await submit(path, asn);
    await screen.findByText(sentText);
    expect(screen.queryByText(/Sent to/)).toBeNull();
  });
  it("shows a rejected value at the field until it is changed", async () => {
    const message = "This is not an AS number. Nothing was sent.";
    backend.refuse("sendEmailVerification", 422, { message, field: "asn" });
    const { user, field } = await submit(path, "banana");
    await screen.findByText(message);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    const [description = ""] = field.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(document.getElementById(description)?.textContent).toBe(message);
    await user.type(field, "1");
    expect(screen.queryByText(message)).toBeNull();
  });
});
