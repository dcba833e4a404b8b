import { expect } from "vitest";
import { errorMessages } from "#contract/http-error.ts";
import { testRows } from "./rows.ts";
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

testRows(setPasswordRows, {
  "set-token": async ({ app, backend }) => {
    await set(app, "0ne_of-them");
    await expectShown(text(invalid));
    expect(backend.received("setPassword").map(({ body }) => body)).toEqual([
      { token: "0ne_of-them", password },
    ]);
  },
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
  },
  "set-form-link": async ({ app }) => {
    await open(app);
    await backToLogin(app);
  },
  "set-success": async ({ app }) => {
    await set(app);
    await expectShown(heading("Success!"), text("Please return to the login page to login to your account."));
  },
  "set-success-link": async ({ app }) => {
    await set(app);
    await expectShown(heading("Success!"));
    await backToLogin(app);
  },
  "set-invalid": async ({ app }) => {
    await set(app, "old");
    await expectShown(text(invalid));
  },
  "set-invalid-link": async ({ app }) => {
    await set(app, "old");
    await expectShown(text(invalid));
    await backToLogin(app);
  },
  "set-error": async ({ app, backend }) => {
    backend.refuse("setPassword", 429, { message: "Too many attempts" });
    await set(app);
    await expectShown(text(failed));
  },
  "set-error-link": async ({ app, backend }) => {
    backend.refuse("setPassword", 429, { message: "Too many attempts" });
    await set(app);
    await expectShown(text(failed));
    await backToLogin(app);
  },
  "set-payload": async ({ app, backend }) => {
    await set(app);
    await expectShown(heading("Success!"));
    expect(backend.received("setPassword").map(({ body }) => body)).toEqual([
      { token: "valid-token", password },
    ]);
  },
  "set-200": async ({ app, backend }) => {
    for (const body of ["", "OK", "null"]) {
      backend.replyText("setPassword", body);
      await set(app, "whatever");
      await expectShown(heading("Success!"));
      expect(button("Submit")()).toHaveLength(0);
    }
  },
  "set-400": async ({ app, backend }) => {
    backend.refuse("setPassword", 400, { message: errorMessages.invalidToken });
    await set(app);
    await expectShown(text(invalid));
    expect([...button("Submit")(), ...field("Password")()]).toEqual([]);
  },
  "set-400-other": async ({ app, backend }) => {
    backend.refuse("setPassword", 400, { message: "Another message" });
    await set(app);
    await expectShown(text(failed), text("Another message"));
  },
  "set-500": async ({ app, backend }) => {
    for (const body of ["", "<h1>Internal server error</h1>"]) {
      backend.replyText("setPassword", body, 500);
      await set(app);
      await expectShown(text(failed));
    }
  },
  "set-no-answer": async ({ app, backend }) => {
    backend.cutOff("setPassword");
    await set(app);
    await expectShown(text(failed));
  },
  "set-mismatch": async ({ app }) => {
    await open(app);
    await fill({ Password: password, "Confirm password": "another" });
    await expectShown(text("Passwords do not match"));
    await fill({ "Confirm password": password });
    expect(text("Passwords do not match")()).toHaveLength(0);
  },
  "set-blocked": async ({ app, backend }) => {
    await open(app);
    await fill({ Password: password, "Confirm password": "another" });
    await submit();
    await expectShown(text("Passwords do not match."));
    expect(backend.received("setPassword")).toEqual([]);
  },
  "set-mismatch-client": async ({ app }) => {
    await open(app);
    await fill({ Password: password, "Confirm password": "another" });
    expect(text("Passwords do not match.")()).toHaveLength(0);
    await press(field("Confirm password"), "Enter");
    await expectShown(text("Passwords do not match."));
    await fill({ "Confirm password": password });
    await submit();
    await expectShown(heading("Success!"));
  },
  "set-any-length": async ({ app, backend }) => {
    await open(app);
    await fill({ Password: "x", "Confirm password": "x" });
    await submit();
    await expectShown(heading("Success!"));
    expect(backend.received("setPassword").map(({ body }) => body)).toEqual([
      { token: "valid-token", password: "x" },
    ]);
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
