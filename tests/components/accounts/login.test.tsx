import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

async function openLogin(address = "/login") {
  const app = await openApp(address);
  const login = await screen.findByRole("button", { name: "Login" });
  return { ...app, login, asn: screen.getByLabelText("ASN"), password: screen.getByLabelText("Password") };
}

describe("login", () => {
  it("leads to the manager, with the AS number normalised", async () => {
    const { user, login, asn, password, address } = await openLogin();
    await user.type(asn, ` as${participant.asn} `);
    await user.type(password, participant.password);
    await user.click(login);
    expect(await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ })).toBeTruthy();
    expect(address()).toBe("/manager");
    expect(backend.sent("login")).toEqual([{ username: participant.asn, password: participant.password }]);
  });

  it("leads back to the address that required the login", async () => {
    const { user, login, asn, password, address } = await openLogin("/manager/updatepeer/new");
    expect(address()).toBe("/login?from=%2Fmanager%2Fupdatepeer%2Fnew");
    await user.type(asn, participant.asn);
    await user.type(password, participant.password);
    await user.click(login);
    await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });
    expect(address()).toMatch(/^\/manager\/updatepeer\/new\b/);
  });

  it.each(["https://evil.example/", "//evil.example", "/managers", "/manager\\evil", "/register"])(
    "does not lead to %s",
    async (from) => {
      const { user, login, asn, password, address } = await openLogin(
        `/login?from=${encodeURIComponent(from)}`,
      );
      await user.type(asn, participant.asn);
      await user.type(password, participant.password);
      await user.click(login);
      await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });
      expect(address()).toBe("/manager");
    },
  );
});
