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
  it("says that an address without a token is wrong", async () => {
    await openApp("/setPassword");
    expect((await screen.findByRole("alert")).textContent).toBe("Bad URL.");
    expect(screen.queryByLabelText("Password")).toBeNull();
    expect(screen.getByRole("link", { name: "Back to login" }).getAttribute("href")).toBe("/login");
  });

  it("is disabled until both fields are filled", async () => {
    const { user, submit, password, confirmation } = await openForm();
    expect(submit.hasAttribute("disabled")).toBe(true);
    await user.type(password, "x");
    expect(submit.hasAttribute("disabled")).toBe(true);
    await user.type(confirmation, "x");
    expect(submit.hasAttribute("disabled")).toBe(false);
  });

  it("blocks passwords that differ", async () => {
    const { user, submit, fill } = await openForm();
    await fill("a sentence of mine", "a sentence of yours");
    expect(screen.getByText("Passwords do not match")).toBeTruthy();
    await user.click(submit);
    expect(screen.getByRole("alert").textContent).toBe("Passwords do not match.");
    expect(backend.sent("setPassword")).toEqual([]);
  });

  it("sets the password", async () => {
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

  it("tells that the token no longer counts", async () => {
    const { user, submit, fill } = await openForm("used-token");
    await fill("a sentence of mine");
    await user.click(submit);
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Token invalid or expired, please try again.",
    );
    expect(screen.queryByLabelText("Password")).toBeNull();
  });

  it("tells a refused password at the field and keeps the form", async () => {
    const message = "Use at least 8 characters; 15 or a sentence is better.";
    backend.refuse("setPassword", 422, { message, field: "password" });
    const { user, submit, fill, password } = await openForm();
    await fill("short");
    await user.click(submit);
    expect(await screen.findByText(message)).toBeTruthy();
    expect(password.getAttribute("aria-invalid")).toBe("true");
    expect(password.value).toBe("short");
  });

  it.each([
    ["another bad request", 400, "The body is not valid JSON. Nothing was changed."],
    ["too many attempts", 429, "Too many attempts. Wait a minute."],
    ["a broken server", 500, "The password was not set."],
  ] as const)("goes to the error tab for %s, with the server's reason", async (_, status, message) => {
    backend.refuse("setPassword", status, { message });
    const { user, submit, fill } = await openForm();
    await fill("a sentence of mine");
    await user.click(submit);
    expect((await screen.findByRole("alert")).textContent).toBe(
      "There was an issue with making this request. Please return to the login page to try again, or contact the support team.",
    );
    expect(screen.getByText(message)).toBeTruthy();
    expect(screen.queryByLabelText("Password")).toBeNull();
  });
});
