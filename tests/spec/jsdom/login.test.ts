import { expect } from "vitest";
import { participant } from "#mocks/state.ts";
import { testVisitorRows } from "./rows.ts";
import { loginRows } from "../table/login.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import { waitFor } from "../../support/wait-for.ts";
import {
  button,
  byRole,
  bySelector,
  click,
  expectAddress,
  expectEnabled,
  expectShown,
  expectTitle,
  field,
  fill,
  followLink,
  heading,
  press,
  readAttribute,
  readValue,
  text,
} from "./screen.ts";

async function openLogin(app: AppTab) {
  app.open("/login");
  await expectShown(heading("Login page"));
  return button("Login");
}

async function logIn(app: AppTab, password: string = participant.password): Promise<void> {
  const login = await openLogin(app);
  await fill({ ASN: participant.asn, Password: password });
  await click(login);
}

testVisitorRows(loginRows, {
  "login-fields": async ({ app }) => {
    const login = await openLogin(app);
    await expectTitle("Login page · Example Transit");
    expect(await readAttribute(field("Password"), "type")).toBe("password");
    expect(bySelector("input")()).toHaveLength(2);
    for (const label of ["ASN", "Password"]) {
      expect(await readAttribute(field(label), "required")).not.toBeNull();
      await fill({ ASN: participant.asn, Password: "x" });
      await expectEnabled(login, true);
      await fill({ [label]: "" });
      await expectEnabled(login, false);
    }
  },
  "login-links": async ({ app }) => {
    await openLogin(app);
    await followLink(app, "Forgot password?", "/forgotPassword");
    await openLogin(app);
    await followLink(app, "Register for an account", "/register");
  },
  "login-success-state": async ({ app }) => {
    app.open("/manager");
    await expectAddress(app, "/login");
    await logIn(app);
    await expectAddress(app, "/manager");
    await expectShown(heading("Dashboard"));
    app.open("/manager/updatepeer/new");
    await expectShown(heading("Select a node"));
  },
  "login-reset-tab": async ({ app, backend }) => {
    await openLogin(app);
    const targets = bySelector("a")().map((each) => each.getAttribute("href"));
    expect(targets.filter((target) => target?.includes("resetPassword"))).toEqual([]);
    app.open("/login?tab=resetPassword");
    await expectShown(heading("Password Reset"));
    await fill({ ASN: participant.asn });
    await click(button("Next"));
    await expectShown(text(/^We have send a link to the email address/));
    expect(backend.sent("sendEmailVerification")).toEqual([{ asn: participant.asn, password_reset: "Yes" }]);
  },
  "login-pending": async ({ app, backend }) => {
    backend.state.hanging.push("login");
    await logIn(app);
    await expectEnabled(button("Login"), false);
    expect(await readAttribute(button("Login"), "aria-busy")).toBe("true");
    const sent = () => backend.sent("login");
    const { asn: username, password } = participant;
    await waitFor(() => expect(sent()).toEqual([{ username, password }]));
    await press(field("Password"), "Enter");
    expect(sent()).toHaveLength(1);
  },
  "login-invalid": async ({ app }) => {
    await logIn(app, "not this one");
    await expectShown(text("Invalid username or password.", byRole("alert")));
    expect(await readValue(field("ASN"))).toBe(participant.asn);
    await expectAddress(app, "/login");
  },
  "login-refused-otherwise": async ({ app, backend }) => {
    for (const fail of [
      () => backend.refuse("login", 500, { message: "The server made a mistake." }),
      () => backend.replyText("login", "<h1>Bad gateway</h1>", 502),
      () => backend.cutOff("login"),
    ]) {
      fail();
      await logIn(app);
      await expectShown(text("An error occured. Please try again.", byRole("alert")));
    }
  },
  "login-status-alone": async ({ app, backend }) => {
    for (const body of ["", "OK", "null"]) {
      backend.state.loggedInAs = null;
      backend.replyText("login", body);
      const login = await openLogin(app);
      await fill({ ASN: participant.asn, Password: participant.password });
      // The response that follows is not the mock's, which would log in.
      backend.state.loggedInAs = participant.asn;
      await click(login);
      await expectAddress(app, "/manager");
      await expectShown(heading("Dashboard"));
    }
  },
});
