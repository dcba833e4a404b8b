import { screen, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "./open-view.tsx";

const backend = useBackend();

const menu = () => screen.getByRole("navigation", { name: "Manager" });
const marked = () =>
  within(menu())
    .getAllByRole("link")
    .filter((link) => link.getAttribute("aria-current") === "page")
    .map((link) => link.textContent);

describe("the manager", () => {
  it("leads to every view, names it, marks it and takes the focus there", async () => {
    const { user, address } = await openView(backend, "/manager", "Dashboard");
    expect(
      within(menu())
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual(["Dashboard", "Node Status", "Stats", "Contact", "Activity", "Settings"]);
    expect(marked()).toEqual(["Dashboard"]);
    for (const [label, at] of [
      ["Node Status", "/manager?view=nodes"],
      ["Stats", "/manager?view=stats"],
      ["Activity", "/manager/activity"],
      ["Contact", "/manager?view=contact"],
      ["Settings", "/manager/settings"],
      ["Dashboard", "/manager"],
    ] as const) {
      await user.click(within(menu()).getByRole("link", { name: label }));
      const heading = await screen.findByRole("heading", { name: label });
      expect(address()).toBe(at);
      expect(marked()).toEqual([label]);
      expect(document.title).toBe(`${label} · Example Transit`);
      const focused = label === "Contact" ? screen.getByLabelText("Your name") : heading;
      expect(document.activeElement).toBe(focused);
    }
  });
  it("is closed on a screen that becomes narrow before it is shown for the first time", async () => {
    const query = Object.assign(new EventTarget(), {
      matches: true,
      addEventListener: () => Object.assign(query, { matches: false }),
    });
    vi.stubGlobal("matchMedia", () => query);
    onTestFinished(() => void vi.unstubAllGlobals());
    await openView(backend, "/manager", "Dashboard");
    const button = screen.getByRole("button", { name: "= menu" });
    await expect.poll(() => button.getAttribute("aria-expanded")).toBe("false");
    expect(screen.queryByRole("navigation", { name: "Public pages" })).toBeNull();
  });
  it("closes on Escape where it is above the content, and returns the focus to its button", async () => {
    const query = Object.assign(new EventTarget(), { matches: false });
    vi.stubGlobal("matchMedia", () => query);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { user } = await openView(backend, "/manager", "Dashboard");
    const button = screen.getByRole("button", { name: "= menu" });
    await user.click(button);
    within(menu()).getByRole("link", { name: "Stats" }).focus();
    await user.keyboard("{Escape}");
    expect(button.getAttribute("aria-expanded")).toBe("false");
    expect(document.activeElement).toBe(button);
  });
  it("leads out to the public pages, which lead back", async () => {
    const { user, address } = await openView(backend, "/manager", "Dashboard");
    const links = within(screen.getByRole("navigation", { name: "Public pages" })).getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Home", "/"],
      ["Status", "/status"],
      ["Map", "/map"],
    ]);
    if (links[0]) await user.click(links[0]);
    await screen.findByRole("heading", { level: 1, name: "Peer with Example Transit" });
    expect(address()).toBe("/");
    expect(screen.queryByRole("link", { name: "Register" })).toBeNull();
    expect(screen.getByRole("link", { name: "Peering Manager" })).toBeTruthy();
  });
  it("marks the dashboard for an open peering and for an unknown view, and nothing for the wizard", async () => {
    addPeering(backend.state);
    const { router } = await openView(backend, "/manager?node=syd01", "syd01.dn42.example.net");
    expect(marked()).toEqual(["Dashboard"]);
    await router.navigate({ href: "/manager/updatepeer/new" });
    await screen.findByRole("heading", { name: "Select a node" });
    expect(marked()).toEqual([]);
    await router.navigate({ href: "/manager?view=nonsense" });
    await screen.findByRole("heading", { name: "Dashboard" });
    expect(marked()).toEqual(["Dashboard"]);
  });
});
