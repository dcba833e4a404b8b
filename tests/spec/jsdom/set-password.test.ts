import { expect } from "vitest";
import { errorMessages } from "#contract/http-error.ts";
import { testVisitorRows } from "./rows.ts";
import { setPasswordRows } from "../table/set-password.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import {
  button,
  byRole,
  bySelector,
  expectEnabled,
  expectShown,
  field,
  fill,
  followLink,
  heading,
  link,
  press,
  readAttribute,
  readValue,
  submit,
  text,
} from "./screen.ts";

const password = "a sentence for the tests";
const invalid = "Token invalid or expired, please try again.";
const failed =
  "There was an issue with making this request. Please return to the login page to try again, or contact the support team.";

async function open(app: AppTab, token = "valid-token"): Promise<void> {
  app.open(`/setPassword?token=${token}`);
  await expectShown(heading("Set password"));
}

async function set(app: AppTab, token?: string): Promise<void> {
  await open(app, token);
  await fill({ Password: password, "Confirm password": password });
  await submit();
}

const backToLogin = (app: AppTab) => followLink(app, "Back to login", "/login");

testVisitorRows(setPasswordRows, {
  "set-no-token": async ({ app }) => {
    for (const path of ["/setPassword", "/setPassword?token="]) {
      app.open(path);
      await expectShown(text("Bad URL.", byRole("alert")), link("Back to login"));
      expect(bySelector("input")()).toHaveLength(0);
    }
  },
  "set-fields": async ({ app }) => {
    await open(app);
    for (const label of ["Password", "Confirm password"]) {
      expect(await readAttribute(field(label), "type")).toBe("password");
    }
    expect(bySelector("input")()).toHaveLength(2);
    await backToLogin(app);
  },
  "set-error": async ({ app, backend }) => {
    for (const fail of [
      () => backend.refuse("setPassword", 429, { message: "Too many attempts" }),
      () => backend.replyText("setPassword", "", 500),
      () => backend.replyText("setPassword", "<h1>Internal server error</h1>", 500),
      () => backend.cutOff("setPassword"),
      () => backend.refuse("setPassword", 400, { message: "Another message" }),
    ]) {
      fail();
      await set(app);
      await expectShown(text(failed));
    }
    await expectShown(text("Another message"));
    await backToLogin(app);
  },
  "set-200": async ({ app, backend }) => {
    for (const body of ["", "OK", "null"]) {
      backend.replyText("setPassword", body);
      await set(app, "0ne_of-them");
      await expectShown(
        heading("Success!"),
        text("Please return to the login page to login to your account."),
      );
      expect(button("Submit")()).toHaveLength(0);
    }
    expect(backend.sent("setPassword").at(-1)).toEqual({ token: "0ne_of-them", password });
    await backToLogin(app);
  },
  "set-400": async ({ app, backend }) => {
    backend.refuse("setPassword", 400, { message: errorMessages.invalidToken });
    await set(app);
    await expectShown(text(invalid));
    expect([...button("Submit")(), ...field("Password")()]).toEqual([]);
    await backToLogin(app);
  },
  "set-mismatch": async ({ app, backend }) => {
    await open(app);
    await fill({ Password: password, "Confirm password": "another" });
    await expectShown(text("Passwords do not match"));
    for (const send of [submit, () => press(field("Confirm password"), "Enter")]) {
      await send();
      await expectShown(text("Passwords do not match."));
    }
    expect(backend.sent("setPassword")).toEqual([]);
    await fill({ "Confirm password": password });
    expect(text("Passwords do not match")()).toHaveLength(0);
    await submit();
    await expectShown(heading("Success!"));
  },
  "set-any-length": async ({ app, backend }) => {
    await open(app);
    await fill({ Password: "x", "Confirm password": "x" });
    await submit();
    await expectShown(heading("Success!"));
    expect(backend.sent("setPassword")).toEqual([{ token: "valid-token", password: "x" }]);
  },
  "set-empty": async ({ app }) => {
    await open(app);
    const submits = button("Submit");
    await expectEnabled(submits, false);
    await fill({ Password: password });
    await expectEnabled(submits, false);
    await fill({ Password: "", "Confirm password": password });
    await expectEnabled(submits, false);
    await fill({ Password: password });
    await expectEnabled(submits, true);
  },
  "set-refused-password": async ({ app, backend }) => {
    backend.refuse("setPassword", 422, { message: "Too short.", field: "password" });
    await set(app);
    await expectShown(text("Too short."), button("Submit"));
    expect(await readAttribute(field("Password"), "aria-invalid")).toBe("true");
    expect(await readValue(field("Password"))).toBe(password);
  },
});
