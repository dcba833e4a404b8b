import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "./open-app.tsx";

useBackend();

const passwords = { Password: "a sentence of mine", "Confirm password": "a sentence of mine" };

it.each([
  ["purpose=registration", "/register"],
  ["purpose=registration&token=old", "/register"],
  ["purpose=reset&token=old", "/forgotPassword"],
  ["purpose=nonsense", "/forgotPassword"],
])("a link that does not work, %s, leads to %s", async (search, form) => {
  const { user, address } = await openApp(`/setPassword?${search}`);
  if (search.includes("token")) {
    await fill(passwords);
    await user.click(screen.getByRole("button", { name: "Submit" }));
  }
  await user.click(await screen.findByRole("link", { name: "Request a new link" }));
  await screen.findByRole("button", { name: "Next" });
  expect(address()).toBe(form);
});

it("shows and hides both passwords with one button, and moves the focus to the confirmation", async () => {
  const { user } = await openApp("/setPassword?token=valid-token");
  const toggle = await screen.findByRole("button", { name: "Show password" });
  const state = () =>
    Object.keys(passwords).map((label) => {
      const { type, autocomplete } = screen.getByLabelText<HTMLInputElement>(label);
      return `${type} ${autocomplete}`;
    });
  await user.click(toggle);
  expect(state()).toEqual(["text new-password", "text new-password"]);
  expect(toggle.getAttribute("aria-pressed")).toBe("true");
  await user.click(toggle);
  expect(state()).toEqual(["password new-password", "password new-password"]);
  await fill(passwords);
  await user.click(screen.getByRole("button", { name: "Submit" }));
  const success = await screen.findByText("Success!");
  expect(document.activeElement).not.toBe(document.body);
  expect(document.activeElement?.contains(success)).toBe(true);
});
