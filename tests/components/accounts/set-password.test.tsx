import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

async function openForm(token = "valid-token") {
  const app = await openApp("/setPassword", token);
  const submit = await screen.findByRole("button", { name: "Submit" });
  const password = screen.getByLabelText<HTMLInputElement>("Password");
  const confirmation = screen.getByLabelText<HTMLInputElement>("Confirm password");
  const fill = async (first: string, second = first) => {
    await app.user.type(password, first);
    await app.user.type(confirmation, second);
  };
  return { ...app, submit, password, confirmation, fill };
}

describe("set password", () => {
  it("sets the password, and moves the focus to the confirmation", async () => {
    const { user, submit, fill } = await openForm();
    await fill("a sentence of mine");
    await user.click(submit);
    const success = await screen.findByText("Success!");
    expect(document.activeElement).not.toBe(document.body);
    expect(document.activeElement?.contains(success)).toBe(true);
    expect(screen.getByText("Please return to the login page to login to your account.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to login" })).toBeTruthy();
    expect(backend.sent("setPassword")).toEqual([{ token: "valid-token", password: "a sentence of mine" }]);
  });
});
