import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { requestProof } from "#mocks/proofs.ts";
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

  it("waits for the keys of the registry below the form of registration", async () => {
    const keys = Promise.withResolvers<Response>();
    backend.reply("requestProof", () => keys.promise);
    const { user } = await openApp("/register");
    await user.type(screen.getByLabelText("ASN"), "4242420001");
    await user.click(screen.getByText("Other ways to prove that AS4242420001 is yours"));
    const prove = await screen.findByRole("button", { name: "Prove with Kioubit's service" });
    await waitFor(() => expect(prove).toHaveProperty("disabled", true));
    keys.resolve(Response.json(requestProof("4242420001", false)));
    await waitFor(() => expect(prove).toHaveProperty("disabled", false));
    backend.refuse("startKioubit", 429, { message: "Slow down." });
    await user.click(prove);
    await screen.findByText("Slow down.");
    expect(backend.sent("startKioubit")).toEqual([{ purpose: "registration", asn: "4242420001" }]);
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
      await import("#web/features/accounts/other-logins.tsx");
      expect(screen.queryByRole("alert")).toBeNull();
    },
  );
});
