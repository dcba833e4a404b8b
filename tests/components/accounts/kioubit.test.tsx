import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { provider } from "#mocks/provider.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();
const button = { name: "Log in with Kioubit's service" };

describe("the button for Kioubit's authentication service", () => {
  it("is shown below the login form if the provider has the service, and says why it could not start", async () => {
    backend.refuse("startKioubit", 429, {
      message: "Too many requests. Nothing was changed; wait a minute.",
    });
    const { user } = await openApp("/login");
    await user.click(await screen.findByRole("button", button));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toBe("Too many requests. Nothing was changed; wait a minute.");
    expect(backend.sent("startKioubit")).toEqual([{ purpose: "login", asn: "" }]);
  });

  it("is missing without the service", async () => {
    backend.reply("provider", { ...provider, ways_in: ["ssh"] });
    await openApp("/login");
    await screen.findByRole("button", { name: "Login" });
    expect(screen.queryByRole("button", button)).toBeNull();
  });
});

describe("a refused return from Kioubit's authentication service", () => {
  it.each([
    ["/login?kioubit=no-account", "This AS number has no account yet. Register for one first."],
    [
      "/login?kioubit=late",
      "The response of Kioubit's authentication service was not from the last minute. Nothing was changed; try again.",
    ],
    ["/register?kioubit=account-exists", "User already exists."],
    [
      "/forgotPassword?kioubit=blocked",
      "This AS number is blocked, so nothing was changed. Its peerings keep running. Write to support.",
    ],
  ])("is explained at %s", async (address, message) => {
    await openApp(address);
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });

  it.each(["/login?kioubit=<b>text</b>", "/register?kioubit=toString", "/forgotPassword?kioubit=7"])(
    "with a code that is none shows nothing at %s",
    async (address) => {
      await openApp(address);
      await screen.findByLabelText("ASN");
      // The notice would come with its part of the app.
      await import("#web/features/accounts/kioubit/failure-notice.tsx");
      expect(screen.queryByRole("alert")).toBeNull();
    },
  );
});
