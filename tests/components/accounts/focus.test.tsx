import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

const focused = () => document.activeElement;

describe("the skip link", () => {
  it.each([
    ["/about", "About"],
    ["/forgotPassword", "Password Reset"],
    ["/manager", "Dashboard"],
  ])("is the first element of %s and moves the focus to the content", async (address, heading) => {
    backend.state.loggedInAs = participant.asn;
    const { user, address: shown } = await openApp(address);
    await screen.findByRole("heading", { name: heading });
    if (focused() instanceof HTMLElement) (focused() as HTMLElement).blur();
    await user.tab();
    expect(focused()).toBe(screen.getByRole("link", { name: "Skip to content" }));
    await user.keyboard("{Enter}");
    expect(focused()).toBe(screen.getByRole("main"));
    expect(within(screen.getByRole("main")).getByRole("heading", { name: heading })).toBeTruthy();
    expect(shown()).toBe(address);
  });
});

describe("on a device with a mouse", () => {
  it("an account form's first field has the focus, on the first page too", async () => {
    const { user } = await openApp("/login");
    await screen.findByRole("heading", { name: "Login page" });
    expect(focused()).toBe(screen.getByLabelText("ASN"));
    await user.click(screen.getByRole("link", { name: "Register for an account" }));
    await screen.findByRole("heading", { name: "Register" });
    await waitFor(() => expect(focused()).toBe(screen.getByLabelText("ASN")));
    // A screen reader reads the text above the field too.
    const description = focused()?.getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(description)?.textContent).toMatch(/^Please enter your dn42 AS number/);
  });

  it("the first password field of the mailed link has the focus", async () => {
    await openApp("/setPassword?token=valid-token");
    await screen.findByRole("form", { name: "Set password" });
    expect(focused()).toBe(screen.getByLabelText("Password"));
  });
});

describe("on a touch screen", () => {
  beforeEach(() => {
    vi.stubGlobal("matchMedia", (query: string) =>
      Object.assign(new EventTarget(), { matches: !query.includes("pointer: fine") }),
    );
  });

  it("the focus moves to the heading of the next screen, not of the first", async () => {
    const { user } = await openApp("/login");
    await screen.findByRole("heading", { name: "Login page" });
    expect(focused()).toBe(document.body);
    await user.click(screen.getByRole("link", { name: "Register for an account" }));
    const heading = await screen.findByRole("heading", { name: "Register" });
    await waitFor(() => expect(focused()).toBe(heading));
  });
});

const sentAfter = async () => {
  const { user } = await openApp("/register");
  await fill({ ASN: "4242420999" });
  await user.click(screen.getByRole("button", { name: "Next" }));
  return screen.findByText(/^We have send a link/);
};

it("the confirmation of a mail takes the focus, and names the masked addresses if the server does", async () => {
  const sent = await sentAfter();
  expect(focused()).not.toBe(document.body);
  expect(focused()?.contains(sent)).toBe(true);
  expect(focused()?.textContent).toContain(
    "Sent to n…@example.net and i…@example.org, as listed in the registry.",
  );
  expect(screen.queryByText(/refused/)).toBeNull();
  cleanup();
  backend.reply("sendEmailVerification", {});
  await sentAfter();
  expect(screen.queryByText(/Sent to/)).toBeNull();
  cleanup();
  const refused = [{ address: "i…@example.org", at: Date.UTC(2026, 2, 14, 9, 30) }];
  backend.reply("sendEmailVerification", { sent_to: ["i…@example.org"], refused });
  await sentAfter();
  const notice = screen.getByText(
    "The mail server of i…@example.org refused our last mail on 14 March 2026, 09:30.",
  );
  expect(notice.parentElement?.textContent).toContain(
    "If mail does not arrive, correct the contact in the registry, or contact support.",
  );
});
