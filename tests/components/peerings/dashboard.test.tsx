import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { unreachedStatus } from "./unreached-status.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";
import { parentOf } from "../../support/parent-of.ts";

const backend = useBackend();

const openDashboard = () => openView(backend, "/manager", "Dashboard");

describe("the dashboard", () => {
  it("lists every peering with its node, its status as colour and word, its path and its figures", async () => {
    addPeering(backend.state);
    addPeering(backend.state, { node: "de01" }, "Issues");
    addPeering(backend.state, { node: "ny01" }, "Down");
    await openDashboard();
    const rows = within(await screen.findByRole("region", { name: "Current peerings" })).getAllByRole(
      "listitem",
    );
    const names = "EndpointTunnelSessionRoutes";
    expect(rows.map((row) => row.textContent.replaceAll(/\d\d:\d\d/g, "12:00"))).toEqual([
      `node: ny01.dn42.example.netNew York, United StatesDownNo handshake with your router yet How to fix it (ny01.dn42.example.net)${names}` +
        "Latency: –Routes accepted: ––View ny01.dn42.example.net",
      `node: de01.dn42.example.netFrankfurt, GermanyIssues5999 of your 6001 routes are refused${names}` +
        "Latency: 12.4 msRoutes accepted: 2 of 6001" +
        "3.10 MiB received, 4.88 MiB transmittedView de01.dn42.example.net",
      // Nothing is said of what is well.
      `node: syd01.dn42.example.netSydney, AustraliaOK${names}` +
        "Latency: 12.4 msRoutes accepted: 2 of 218.42 MiB received, 21.07 MiB transmittedView syd01.dn42.example.net",
    ]);
    expect(screen.getAllByRole("img", { name: /^Path: / }).map((path) => path.ariaLabel)).toEqual([
      "Path: Endpoint good, Tunnel broken, Session not reached, Routes not reached",
      "Path: Endpoint good, Tunnel good, Session good, Routes degraded",
      "Path: Endpoint good, Tunnel good, Session good, Routes good",
    ]);
    // The plots of a row are read by keyboard, before what there is to press.
    const [ny01 = ""] = (await screen.findAllByRole("slider")).map(({ ariaLabel }) => ariaLabel ?? "");
    expect(ny01).toMatch(/^ny01\.dn42\.example\.net: Up 87\.50% of the last 24 hours, down once between/);
    expect(screen.getAllByRole("slider", { name: /^Latency, last 24 hours: / })).toHaveLength(3);
    expect(["OK", "Issues", "Down"].map((word) => screen.getByText(word).classList[0])).toEqual([
      "good",
      "issues",
      "down",
    ]);
    // It says first how many peerings are up, and which need the participant.
    const summary = parentOf(await screen.findByText(/^2 of 3 peerings are up/));
    expect(summary.textContent).toBe(
      "2 of 3 peerings are up, one of them with issues; one is down. 2 need you: ny01.dn42.example.net, no handshake with your router yet; de01.dn42.example.net, 5999 of your 6001 routes are refused",
    );
    const link = within(summary).getByRole("link", { name: /^ny01/ });
    expect(link.getAttribute("href")).toBe("/manager?node=ny01");
  });

  it("has one tab stop for all plots: arrows lead to the other rows' plots, and Tab goes on there", async () => {
    for (const node of ["de01", "ny01", "syd01"]) addPeering(backend.state, { node });
    const { user, queryClient } = await openDashboard();
    const plots = await screen.findAllByRole("slider");
    const links = screen.getAllByRole("link", { name: /^View / });
    const passed = async (keys: string) => {
      await user.keyboard(keys);
      return [...plots, ...links].findIndex((element) => element === document.activeElement);
    };
    plots[0]?.focus();
    // The links are after the six plots.
    expect([await passed("{Tab}"), await passed("{Tab}"), await passed("{Tab}")]).toEqual([6, 7, 8]);
    plots[0]?.focus();
    expect(await passed("{ArrowUp}")).toBe(0);
    expect([await passed("{ArrowDown}"), await passed("{ArrowDown}")]).toEqual([1, 2]);
    expect(plots.map(({ textContent }) => textContent !== "")).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
    // Left and right read the plot.
    expect(await passed("{ArrowLeft}")).toBe(2);
    expect(plots[2]?.getAttribute("aria-valuenow")).toBe("47");
    expect([await passed("{Tab}"), await passed("{Tab}")]).toEqual([7, 8]);
    expect([await passed("{Shift>}{Tab}"), await passed("{Tab}{/Shift}")]).toEqual([7, 2]);

    // Another row takes over for one that is gone.
    const gone = links[1]?.textContent.replace(/^View (\w+).*/, "$1");
    const left = ["de01", "ny01", "syd01"].filter((node) => node !== gone);
    backend.reply(
      "getPeerStatus",
      left.map((node) => Object.assign({}, unreachedStatus, { node })),
    );
    await queryClient.invalidateQueries();
    await waitFor(() => expect(screen.getAllByRole("link", { name: /^View / })).toHaveLength(2));
    const [stop, ...others] = screen.getAllByRole("slider");
    expect(stop?.tabIndex).toBe(0);
    expect(others.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, -1]);
  });

  it("says for how long a peering is down: since the first of its sessions ended", async () => {
    const session = { name: "s", families: ["IPv4"], state: "Established", detail: "", routes: null };
    const sessions = [
      { ...session, since: minutesAgo(90) },
      { ...session, families: ["IPv6"], state: "Connect", since: minutesAgo(7) },
    ];
    backend.reply("getPeerStatus", [
      { ...unreachedStatus, known: true, bgp_status: "Down", sessions },
      { ...unreachedStatus, node: "de01", known: true, bgp_status: "Down", sessions: [] },
    ]);
    await openDashboard();
    const rows = await screen.findAllByText("Down");
    expect(rows.map((word) => word.closest("li")?.querySelector("time")?.textContent)).toEqual([
      "for 7 min",
      undefined,
    ]);
  });

  it("opens what to do about a peering below its row, by keyboard too, with the line for the participant's router", async () => {
    addPeering(backend.state, { node: "ny01" }, "Down");
    addPeering(backend.state, { node: "de01" }, "Issues");
    const { user, address } = await openDashboard();
    const toggle = await screen.findByRole("button", { name: "How to fix it (ny01.dn42.example.net)" });
    expect([toggle.ariaExpanded, toggle.getAttribute("aria-controls")]).toEqual(["false", null]);
    // The reasons of refused routes are a list of their own.
    expect(screen.getAllByRole("button", { name: /How to fix it/ })).toEqual([toggle]);
    toggle.focus();
    await user.keyboard("{Enter}");
    expect(await screen.findByText(/^No handshake with \S+:\d+ yet\. Check /)).toBeTruthy();
    expect([address(), document.activeElement, toggle.ariaExpanded]).toEqual(["/manager", toggle, "true"]);
    const panel = document.getElementById(toggle.getAttribute("aria-controls") ?? "");
    expect(toggle.closest("li")?.contains(panel)).toBe(true);
    const line = await within(panel as HTMLElement).findByRole("region", { name: /^wg-quick: / });
    expect(line.textContent).toMatch(/^PublicKey = \S+\nEndpoint = /);
    await user.keyboard(" ");
    expect([document.activeElement, toggle.ariaExpanded, panel?.isConnected]).toEqual([
      toggle,
      "false",
      false,
    ]);
  });

  it("says of an only peering that it needs the participant", async () => {
    addPeering(backend.state, { node: "de01" }, "Issues");
    await openDashboard();
    expect(parentOf(await screen.findByText(/^Your peering is up, with issues\./)).textContent).toBe(
      "Your peering is up, with issues. It needs you: de01.dn42.example.net, 5999 of your 6001 routes are refused",
    );
  });

  it("counts the peerings that need the participant on the icon of the installed app, until the logout", async () => {
    const badges: unknown[] = [];
    const set = async (count: number) => void badges.push(count);
    const clear = async () => void badges.push("none");
    Object.assign(navigator, { setAppBadge: set, clearAppBadge: clear });
    onTestFinished(() =>
      ["setAppBadge", "clearAppBadge"].forEach((name) => Reflect.deleteProperty(navigator, name)),
    );
    for (const [node, health] of [
      ["de01", "Issues"],
      ["ny01", "Down"],
      ["syd01", "OK"],
    ] as const)
      addPeering(backend.state, { node }, health);
    const { user } = await openDashboard();
    await waitFor(() => expect(badges.at(-1)).toBe(2));
    // A push message may have changed it meanwhile. What the page has is no longer new, so it reads again.
    badges.push(1);
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
    await user.click(screen.getByRole("link", { name: "Settings" }));
    await user.click(screen.getByRole("link", { name: "Dashboard" }));
    await waitFor(() => expect(badges.at(-1)).toBe(2));
    clock.mockRestore();
    badges.splice(badges.indexOf(1), 1);
    await user.click(screen.getByRole("button", { name: "Logout" }));
    await waitFor(() => expect(badges.at(-1)).toBe("none"));
    expect(new Set(badges)).toEqual(new Set([2, "none"]));
  });

  it("shows a state that could not be read as unknown, in the colour of a peering that is down", async () => {
    backend.reply("getPeerStatus", [unreachedStatus]);
    await openDashboard();
    const panel = within(await screen.findByRole("region", { name: "Current peerings" }));
    const row = await panel.findByRole("listitem");
    expect(row.textContent).toBe(
      "node: syd01.dn42.example.netSydney, AustraliaUnknownThe node does not respond Details (syd01.dn42.example.net)EndpointTunnelSessionRoutes" +
        "Latency: –Routes accepted: ––View syd01.dn42.example.net",
    );
    expect(within(row).getByText("Unknown").classList[0]).toBe("down");
  });
});

async function openLoading() {
  backend.state.hanging.push("getPeerStatus");
  await openDashboard();
  const panel = await screen.findByRole("region", { name: "Current peerings" });
  await within(panel).findByText("Loading peerings…");
  const rows = () => Array.from(panel.querySelectorAll("li"), ({ textContent }) => textContent);
  return { panel, rows };
}

describe("the dashboard while it loads", () => {
  it("has three rows while it is not known which peerings there are", async () => {
    backend.state.hanging.push("getPeeredNodes");
    const { rows } = await openLoading();
    expect(rows()).toEqual(["", "", ""]);
  });

  it("has a row for each peering with its name, and only the loader's text for screen readers", async () => {
    addPeering(backend.state);
    addPeering(backend.state, { node: "de01" });
    const { panel, rows } = await openLoading();
    await waitFor(() =>
      expect(rows()).toEqual([
        "node: syd01.dn42.example.netSydney, Australia",
        "node: de01.dn42.example.netFrankfurt, Germany",
      ]),
    );
    expect(within(panel).queryAllByRole("listitem")).toEqual([]);
    const shown = panel.cloneNode(true) as HTMLElement;
    for (const hidden of shown.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    expect(shown.textContent).toBe("Current peeringsLoading peerings…");
  });
});

function minutesAgo(minutes: number): number {
  return Date.now() - minutes * 60_000 - 5000;
}
