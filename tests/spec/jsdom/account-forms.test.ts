import { expect } from "vitest";
import { errorMessages } from "#contract/http-error.ts";
import { participant } from "#mocks/state.ts";
import { testVisitorRows } from "./rows.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import { accountFormRows } from "../table/account-forms.ts";
import {
  button,
  byRole,
  bySelector,
  click,
  expectEnabled,
  expectShown,
  expectTitle,
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

const newcomer = "4242420009";
const sent =
  "We have send a link to the email address associated with this AS number. Please click the link in the email to set your account password.";
const failed = "There was an issue making this request. Please try again or contact the support team.";
const unreachable = "The server could not be reached. Check your connection and try again.";
const tooMany = "Too many requests, please wait and try again later.";

async function requestMail(app: AppTab, path: string, asn: string): Promise<void> {
  app.open(path);
  await fill({ ASN: asn });
  await click(button("Next"));
}
const register = (app: AppTab, asn = newcomer) => requestMail(app, "/register", asn);
const requestReset = (app: AppTab, asn: string = participant.asn) => requestMail(app, "/forgotPassword", asn);

const screens = ["/register", "/forgotPassword"] as const;

async function expectError(reason: string): Promise<void> {
  await expectShown(heading("Error"), text(failed), text(reason));
}

/** Expects this reason in the form, which keeps the AS number. */
async function expectReasonInForm(reason: string, asn: string): Promise<void> {
  await expectShown(text(reason, byRole("alert")), button("Next"));
  expect(await readValue(field("ASN"))).toBe(asn);
}

const password = "a sentence for the tests";
const invalidToken = "Token invalid or expired, please try again.";
const notSet =
  "There was an issue with making this request. Please return to the login page to try again, or contact the support team.";

async function openLink(app: AppTab, token = "valid-token"): Promise<void> {
  app.open(`/setPassword?token=${token}`);
  await expectShown(heading("Set password"));
}

async function setPassword(app: AppTab, token?: string): Promise<void> {
  await openLink(app, token);
  await fill({ Password: password, "Confirm password": password });
  await submit();
}

const backToLogin = (app: AppTab) => followLink(app, "Back to login", "/login");

testVisitorRows(accountFormRows, {
  "register-text": async ({ app }) => {
    app.open("/register");
    await expectShown(
      text(
        "Please enter your dn42 AS number to get started. We will send a verification link to the e-mail address associated to this AS number.",
      ),
    );
    await followLink(app, "Already have an account? Login", "/login");
  },
  "register-form": async ({ app }) => {
    for (const path of screens) {
      app.open(path);
      await expectShown(button("Next"), field("ASN"));
      expect(bySelector("input, textarea, select")()).toHaveLength(1);
      await expectEnabled(button("Next"), false);
      await fill({ ASN: newcomer });
      await expectEnabled(button("Next"), true);
      await fill({ ASN: "" });
      await expectEnabled(button("Next"), false);
    }
  },
  "register-sent": async ({ app, backend }) => {
    for (const body of ["", "OK", "null"]) {
      backend.replyText("sendEmailVerification", body);
      await register(app, " AS 4242 420\u00a0009 ");
      await expectShown(text(sent));
      expect(button("Next")()).toHaveLength(0);
    }
    expect(backend.sent("sendEmailVerification").at(-1)).toEqual({ asn: newcomer });
    await followLink(app, "Back to login", "/login");
  },
  "register-pending": async ({ app, backend }) => {
    backend.state.hanging.push("sendEmailVerification");
    for (const [index, path] of screens.entries()) {
      await requestMail(app, path, newcomer);
      await expectEnabled(button("Next"), false);
      await waitFor(() => expect(backend.sent("sendEmailVerification")).toHaveLength(index + 1));
    }
  },
  "register-other": async ({ app, backend }) => {
    backend.refuse("sendEmailVerification", 400, { message: "Something else." });
    await register(app);
    await expectError("Something else.");
    expect(button("Next")()).toHaveLength(0);
    backend.replyText("sendEmailVerification", "<h1>Bad gateway</h1>", 502);
    await register(app);
    await expectShown(heading("Error"), text(failed));
    backend.cutOff("sendEmailVerification");
    await register(app);
    await expectError(unreachable);
  },
  "register-exists": async ({ app, backend }) => {
    for (const [status, message, shown] of [
      [409, errorMessages.userExists, "User already exists."],
      [404, errorMessages.asNotFound, "AS number cannot be found."],
    ] as const) {
      backend.refuse("sendEmailVerification", status, { message });
      await register(app);
      await expectReasonInForm(shown, newcomer);
    }
  },
  "register-refused-value": async ({ app, backend }) => {
    backend.refuse("sendEmailVerification", 422, { message: "Not an AS number.", field: "asn" });
    await register(app);
    await expectShown(text("Not an AS number."));
    expect(await readAttribute(field("ASN"), "aria-invalid")).toBe("true");
    const [description = ""] = ((await readAttribute(field("ASN"), "aria-describedby")) ?? "").split(" ");
    expect(document.getElementById(description)?.textContent).toBe("Not an AS number.");
    await fill({ ASN: "1" });
    expect(text("Not an AS number.")()).toEqual([]);
  },
  "forgot-title": async ({ app }) => {
    app.open("/forgotPassword");
    await expectShown(
      heading("Password Reset"),
      text("Enter your dn42 AS number and we will send you an email with a password reset link."),
    );
    await expectTitle("Password Reset · Example Transit");
  },
  "forgot-sent": async ({ app, backend }) => {
    await requestReset(app);
    await expectShown(text(sent));
    expect(backend.sent("sendEmailVerification")).toEqual([{ asn: participant.asn, password_reset: "Yes" }]);
    await followLink(app, "Back to login", "/login");
  },
  "forgot-error": async ({ app, backend }) => {
    backend.refuse("sendEmailVerification", 503, { message: "The registry copy is too old." });
    await requestReset(app);
    await expectError("The registry copy is too old.");
    expect(await readAttribute(link("Back to password reset"), "href")).toBe("/forgotPassword");
  },
  "forgot-unknown-as": async ({ app }) => {
    await requestReset(app, "64512");
    await expectReasonInForm("AS number cannot be found.", "64512");
  },
  "mail-limit": async ({ app, backend }) => {
    // The status decides, so this response has no body.
    backend.replyText("sendEmailVerification", "", 429);
    await requestReset(app);
    await expectReasonInForm(tooMany, participant.asn);
    await register(app);
    await expectReasonInForm(tooMany, newcomer);
    backend.restore("sendEmailVerification");
    await click(button("Next"));
    await expectShown(text(sent));
  },
  "set-no-token": async ({ app }) => {
    for (const path of ["/setPassword", "/setPassword?token="]) {
      app.open(path);
      await expectShown(text("Bad URL.", byRole("alert")), link("Back to login"));
      expect(bySelector("input")()).toHaveLength(0);
    }
  },
  "set-fields": async ({ app }) => {
    await openLink(app);
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
      await setPassword(app);
      await expectShown(text(notSet));
    }
    await expectShown(text("Another message"));
    await backToLogin(app);
  },
  "set-200": async ({ app, backend }) => {
    for (const body of ["", "OK", "null"]) {
      backend.replyText("setPassword", body);
      await setPassword(app, "0ne_of-them");
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
    await setPassword(app);
    await expectShown(text(invalidToken));
    expect([...button("Submit")(), ...field("Password")()]).toEqual([]);
    await backToLogin(app);
  },
  "set-mismatch": async ({ app, backend }) => {
    await openLink(app);
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
    await openLink(app);
    await fill({ Password: "x", "Confirm password": "x" });
    await submit();
    await expectShown(heading("Success!"));
    expect(backend.sent("setPassword")).toEqual([{ token: "valid-token", password: "x" }]);
  },
  "set-empty": async ({ app }) => {
    await openLink(app);
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
    await setPassword(app);
    await expectShown(text("Too short."), button("Submit"));
    expect(await readAttribute(field("Password"), "aria-invalid")).toBe("true");
    expect(await readValue(field("Password"))).toBe(password);
  },
});
