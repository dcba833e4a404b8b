import { cleanup, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "./open-app.tsx";

useBackend();

async function openForm(token = "valid-token") {
  const app = await openApp("/setPassword", token);
  const submit = await screen.findByRole("button", { name: "Submit" });
  const password = screen.getByLabelText<HTMLInputElement>("Password");
  const confirmation = screen.getByLabelText<HTMLInputElement>("Confirm password");
  return { ...app, submit, password, confirmation };
}

describe("a link that does not work", () => {
  it.each([
    ["registration", "/register"],
    ["reset", "/forgotPassword"],
    ["nonsense", "/forgotPassword"],
  ])("of a %s leads to %s", async (purpose, form) => {
    for (const [token, text] of [
      ["old", "Token invalid or expired, please try again."],
      [null, "Bad URL."],
    ] as const) {
      const { user, router } = await openApp(`/setPassword?purpose=${purpose}`, token);
      if (token !== null) {
        await fill({ Password: "a sentence of mine", "Confirm password": "a sentence of mine" });
        await user.click(screen.getByRole("button", { name: "Submit" }));
      }
      await screen.findByText(text);
      await user.click(screen.getByRole("link", { name: "Request a new link" }));
      await screen.findByRole("button", { name: "Next" });
      expect(router.state.location.pathname).toBe(form);
      cleanup();
    }
  });
});

describe("set password", () => {
  it("moves the focus to the confirmation", async () => {
    const { user, submit } = await openForm();
    await fill({ Password: "a sentence of mine", "Confirm password": "a sentence of mine" });
    await user.click(submit);
    const success = await screen.findByText("Success!");
    expect(document.activeElement).not.toBe(document.body);
    expect(document.activeElement?.contains(success)).toBe(true);
  });

  it("shows and hides both passwords with one button", async () => {
    const { user, password, confirmation } = await openForm();
    const state = () => [password, confirmation].map(({ type, autocomplete }) => `${type} ${autocomplete}`);
    const toggle = screen.getByRole("button", { name: "Show password" });
    await user.click(toggle);
    expect(state()).toEqual(["text new-password", "text new-password"]);
    expect(toggle.getAttribute("aria-pressed")).toBe("true");
    await user.click(toggle);
    expect(state()).toEqual(["password new-password", "password new-password"]);
  });
});
