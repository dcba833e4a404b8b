import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallName } from "#contract/calls.ts";
import type { RefusedRoute } from "#contract/diagnostics.ts";
import type { Health } from "#domain/health.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

// On a busy machine the modules take longer to load than a test waits for a heading.
beforeAll(async () => {
  await import("#web/features/peerings/overview/peer-overview.tsx");
  await import("#web/features/peerings/troubleshooting/troubleshooting-tab.tsx");
}, 30_000);

async function openTroubleshooting(health: Health = "OK") {
  addPeering(backend.state, {}, health);
  backend.state.loggedInAs = participant.asn;
  const { user, address } = await openApp("/manager?node=syd01&tab=troubleshooting");
  // The tab's own code is loaded with it.
  await screen.findByRole("heading", { name: "BGP config verification" }, { timeout: 10_000 });
  const press = async (name: string) => user.click(screen.getByRole("button", { name }));
  const open = async (name: string, title: string) => {
    await press(name);
    const dialog = await screen.findByRole("dialog", { name: title });
    // The dialog receives keys only when it has the focus.
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    return within(dialog);
  };
  return { user, address, press, open };
}

/** Waits until the modal fades out; jsdom never ends the transition. */
function closed() {
  return waitFor(() => expect(screen.queryByRole("dialog")?.dataset["state"] ?? "closed").toBe("closed"));
}

/** Keeps the requests of a call pending until the test responds, and records them. */
function holdBack(name: CallName) {
  const requests: Array<{
    readonly signal?: AbortSignal | undefined;
    readonly respond: (json: object) => void;
  }> = [];
  backend.reply(
    name,
    ({ signal }) =>
      new Promise<Response>((resolve) => {
        requests.push({ signal, respond: (json) => resolve(Response.json(json)) });
      }),
  );
  return requests;
}

describe("a query to the node", () => {
  const [button, title, name] = [
    "Routes received from you",
    "Show received routes",
    "getPeerReceivedRoutes",
  ] as const;

  it("waits with a loader and Cancel, which ends the request and leads back to its button, as Escape does", async () => {
    const requests = holdBack(name);
    const { user, open } = await openTroubleshooting();
    const modal = await open(button, title);
    expect(modal.getByText(/…$/).closest("[role=status]")).not.toBeNull();
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.click(modal.getByRole("button", { name: "Cancel" }));
    await closed();
    expect(requests[0]?.signal?.aborted).toBe(true);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: button })));
    expect(screen.queryByRole("alert")).toBeNull();
    const again = await open(button, title);
    await waitFor(() => expect(requests).toHaveLength(2));
    requests[0]?.respond({ output: "late" });
    expect(again.getByRole("button", { name: "Cancel" })).toBeTruthy();
    expect(requests[1]?.signal?.aborted).toBe(false);
    await user.keyboard("{Escape}");
    await closed();
    expect(requests[1]?.signal?.aborted).toBe(true);
  });

  it("leads to the login screen if the login session has ended, and back from there", async () => {
    const { user, press, address } = await openTroubleshooting();
    backend.state.loggedInAs = null;
    await press(button);
    await screen.findByRole("heading", { name: "Login page" });
    expect(screen.queryByRole("dialog")).toBeNull();
    await fill({ ASN: participant.asn, Password: participant.password });
    await user.click(screen.getByRole("button", { name: "Login" }));
    await screen.findByRole("button", { name: button });
    expect(address()).toBe("/manager?node=syd01&tab=troubleshooting");
  });
});

// A modal hides them from screen readers.
const buttonOf = (name: string) => screen.getByRole("button", { name, hidden: true });

/** What a screen reader says after the button's name. */
const advice = (name: string) =>
  document.getElementById(buttonOf(name).getAttribute("aria-describedby") ?? "")?.textContent;

describe("beside the buttons", () => {
  const restartEffect = /^Drops your BGP sessions at once\./;
  afterEach(() => {
    vi.useRealTimers();
  });

  it("a restart says its effect, reads the state again, and rests for 30 s, also on another tab", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { user, open } = await openTroubleshooting();
    expect(advice("Restart BGP")).toMatch(restartEffect);
    expect(advice("Check BGP config")).toBeUndefined();
    const before = backend.sent("getPeerStatus").length;
    const modal = await open("Restart BGP", "Restart BGP Peer");
    await user.click(await modal.findByRole("button", { name: "Close" }));
    await closed();
    await waitFor(() => expect(backend.sent("getPeerStatus").length).toBeGreaterThan(before));
    const resting = "You can restart BGP again in 30 seconds.";
    await waitFor(() => expect(advice("Restart BGP")).toBe(resting));
    await user.click(screen.getByRole("tab", { name: "Edit Peering" }));
    await user.click(screen.getByRole("tab", { name: "Troubleshooting" }));
    expect(advice("Restart BGP")).toBe(resting);
    expect(buttonOf("Restart BGP").ariaDisabled).toBe("true");
    await user.click(buttonOf("Restart BGP"));
    expect(backend.sent("restartBGPPeer")).toHaveLength(1);
    vi.setSystemTime(Date.now() + 29_000);
    const last = "You can restart BGP again in 1 second.";
    await waitFor(() => expect(advice("Restart BGP")).toBe(last), { timeout: 3_000 });
    vi.setSystemTime(Date.now() + 1_000);
    await waitFor(() => expect(advice("Restart BGP")).toMatch(restartEffect), { timeout: 3_000 });
    expect(buttonOf("Restart BGP").ariaDisabled).toBeNull();
  });

  it("a restart that failed does not rest, and one that is cancelled does", async () => {
    backend.refuseOnce("restartBGPPeer", 502, { message: "BIRD refused." });
    const { user, open } = await openTroubleshooting();
    const modal = await open("Restart BGP", "Restart BGP Peer");
    const retry = await modal.findByRole("button", { name: "Retry" });
    expect(advice("Restart BGP")).toMatch(restartEffect);
    holdBack("restartBGPPeer");
    await user.click(retry);
    await user.click(await modal.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(advice("Restart BGP")).toMatch(/^You can restart BGP again in (30|29) /));
  });

  it("the reasons why a tunnel that is down, or a family that the peering lacks, allows nothing", async () => {
    const { user } = await openTroubleshooting("Down");
    expect(advice("Check BGP config")).toBe("The tunnel is down, and BGP needs it. Fix the tunnel first.");
    expect(advice("Restart BGP")).toBe(
      "The tunnel is down, so a restart does not help. Fix the tunnel first.",
    );
    // The status may be a moment old.
    for (const name of ["Check BGP config", "Restart BGP", "IPv6 Ping Check"])
      expect(buttonOf(name).ariaDisabled).toBeNull();
    expect(advice("IPv4 Ping Check")).toBe("This peering has no IPv4 tunnel address.");
    expect(buttonOf("IPv4 Ping Check").ariaDisabled).toBe("true");
    await user.click(buttonOf("IPv4 Ping Check"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it.each([
    ["a configuration without tunnel addresses", () => backend.reply("getPeerConfig", { syd01: {} })],
    ["no configuration", () => backend.refuse("getPeerConfig", 500, { message: "Not today." })],
  ])("nothing of a server that sends %s, and words of its own", async (_, answer) => {
    backend.reply("getPeerStatus", [{ node: "syd01", bgp_status: "Idle", wg_status: { state: "Sleeping" } }]);
    answer();
    await openTroubleshooting();
    for (const name of ["IPv4 Ping Check", "IPv6 Ping Check", "Check BGP config"])
      expect([name, advice(name), buttonOf(name).ariaDisabled]).toEqual([name, undefined, null]);
  });
});

it("the BGP check leads from refused routes to their reasons", async () => {
  const { user, open } = await openTroubleshooting("Issues");
  const check = await open("Check BGP config", "BGP Config Check");
  await user.click(await check.findByRole("button", { name: "Show refused routes" }));
  const modal = within(await screen.findByRole("dialog", { name: "Show received routes" }));
  expect((await modal.findByRole("tab", { name: "Refused (5999)" })).ariaSelected).toBe("true");
  expect(modal.getByRole("table", { name: "Refused routes" })).toBeTruthy();
});

const refusedRoute = (prefix: string, reason: RefusedRoute["reason"], as_path: string): RefusedRoute => ({
  prefix,
  reason,
  as_path,
  family: "IPv4",
  origin: "",
  explanation: `${prefix} is refused.`,
  object: "",
  fix: "",
});

async function openRefused(list: readonly RefusedRoute[]) {
  // Rows are measured.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(44);
  backend.reply("getRefusedRoutes", {
    routes: list,
    totals: { ipv4: list.length, ipv6: 0 },
    cut: false,
    limits: [],
  });
  const { user, open } = await openTroubleshooting("Issues");
  const modal = await open("Routes received from you", "Show received routes");
  await user.click(await modal.findByRole("tab", { name: `Refused (${list.length})` }));
  const table = within(await modal.findByRole("table", { name: "Refused routes" }));
  const prefixes = () => table.getAllByRole("button", { name: /\// }).map(({ textContent }) => textContent);
  return { user, table, prefixes };
}

describe("routes", () => {
  // jsdom has no layout: the list needs a size to render rows.
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
    vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  });
  afterEach(() => vi.restoreAllMocks());

  const routes = Array.from({ length: 1043 }, (_, index) => {
    const prefix = `10.${Math.floor(index / 256)}.${index % 256}.0/24`;
    return `${prefix.padEnd(20)} unicast [x 2026-11-20] * (100) [AS42424${20_000 + index}i]\n\tvia fe80::1 on x`;
  });
  const output = `Table master4:\n${routes.join("\n")}\n`;

  it("renders only some of a thousand routes, filters them, and copies all", async () => {
    backend.reply("getPeerAdvertisedRoutes", { output });
    const { user, open } = await openTroubleshooting();
    const modal = await open("Routes advertised to you", "Show advertised routes");
    expect(await modal.findByText("1043 routes")).toBeTruthy();
    const list = modal.getByRole("list");
    const rows = within(list).getAllByRole("listitem");
    expect(rows.length).toBeLessThan(60);
    expect([rows[0]?.ariaSetSize ?? rows[0]?.getAttribute("aria-setsize"), rows[0]?.textContent]).toEqual([
      "1043",
      routes[0],
    ]);
    await fill({ Filter: "10.4. as4242421" });
    expect(await modal.findByText("19 of 1043 routes")).toBeTruthy();
    await fill({ Filter: "nothing" });
    expect(await modal.findByText("0 of 1043 routes")).toBeTruthy();
    expect(modal.getByText("No route matches the filter.")).toBeTruthy();
    await user.click(modal.getByRole("button", { name: "Copy to clipboard" }));
    expect(await navigator.clipboard.readText()).toBe(output);
    expect((await modal.findByText("copied")).closest("[aria-live=polite]")).not.toBeNull();
  });

  it("says that a list was truncated, or is empty", async () => {
    backend.reply("getPeerAdvertisedRoutes", { output: `${output}(truncated here, after code 1008)\n` });
    backend.reply("getPeerReceivedRoutes", { output: "BIRD 2.0.12 ready.\n" });
    const { user, open } = await openTroubleshooting();
    const advertised = await open("Routes advertised to you", "Show advertised routes");
    expect(await advertised.findByText(/the node truncated it because it is too long/)).toBeTruthy();
    await user.keyboard("{Escape}");
    await closed();
    const received = await open("Routes received from you", "Show received routes");
    expect(await received.findByText("The node receives no routes from you.")).toBeTruthy();
    expect(received.getByRole("button", { name: "Copy to clipboard" })).toBeTruthy();
  });

  it("shows the fix for every refused route, limits first", async () => {
    const { user, open } = await openTroubleshooting("Issues");
    const modal = await open("Routes received from you", "Show received routes");
    expect((await modal.findAllByRole("listitem")).map((row) => row.textContent?.split(" ")[0])).toEqual([
      "refused0.0.0.0/0",
      "172.20.201.0/26",
    ]);
    await user.click(modal.getByRole("tab", { name: "Refused (5999)" }));
    const panel = await modal.findByRole("tabpanel");
    expect(panel.textContent).toMatch(/^The node stopped accepting IPv4 routes from you at 6000/);
    expect(
      within(panel).getByText(
        "The node refuses 5999 IPv4 routes and 0 IPv6 routes. The first 2 are listed here.",
      ),
    ).toBeTruthy();
    expect(
      within(panel)
        .getAllByRole("definition")
        .map((value) => value.textContent),
    ).toEqual([
      "Stop exporting it to this node.",
      participant.asn,
      'Create route/172.20.201.64_27 with "origin: AS4242420001", under inetnum/172.20.201.0_24 of ADA-MNT.',
      "route/172.20.201.64_27",
      `${participant.asn} ×3`,
    ]);
  });

  it("renders all of two hundred routes, so that the browser finds text in them, by prefix", async () => {
    const listed = routes.slice(0, 200);
    backend.reply("getPeerAdvertisedRoutes", () =>
      Response.json({ output: `${listed.toReversed().join("\n")}\n` }),
    );
    const { open } = await openTroubleshooting();
    const modal = await open("Routes advertised to you", "Show advertised routes");
    expect((await modal.findAllByRole("listitem")).map((row) => row.textContent)).toEqual(listed);
  });

  it("leads from a refused route to its reason", async () => {
    const { user, open } = await openTroubleshooting("Issues");
    const modal = await open("Routes received from you", "Show received routes");
    const [refused] = await modal.findAllByRole("listitem");
    if (!refused) throw new Error("no route");
    await user.click(within(refused).getByText(/BGP.as_path/));
    const reason = await modal.findByRole("button", { name: "0.0.0.0/0" });
    expect(modal.getByRole("tab", { name: "Refused (5999)" }).ariaSelected).toBe("true");
    expect(document.activeElement).toBe(reason);
    expect(modal.getAllByRole("button", { expanded: true }).map(({ textContent }) => textContent)).toEqual([
      "0.0.0.0/0",
    ]);
    // Its row does not take the focus again.
    const other = modal.getByRole("button", { name: "172.20.201.64/27" });
    await user.click(other);
    expect(document.activeElement).toBe(other);
  });

  describe("in the table of refused routes", () => {
    it("sorts by every column, and says how", async () => {
      const { user, table, prefixes } = await openRefused([
        refusedRoute("10.10.0.0/16", "no ROA", "1 2 3"),
        refusedRoute("10.9.0.0/16", "wrong length", "1 2"),
        refusedRoute("10.8.0.0/16", "no ROA", "1"),
        refusedRoute("10.7.0.0/16", "bogon in path", "1 1 1 1"),
      ]);
      const sorted = () => table.getAllByRole("columnheader").map((head) => head.getAttribute("aria-sort"));
      expect(sorted()).toEqual(["ascending", null, null]);
      expect(prefixes()).toEqual(["10.7.0.0/16", "10.8.0.0/16", "10.9.0.0/16", "10.10.0.0/16"]);
      await user.click(table.getByRole("button", { name: "Prefix" }));
      expect(sorted()).toEqual(["descending", null, null]);
      expect(prefixes()).toEqual(["10.10.0.0/16", "10.9.0.0/16", "10.8.0.0/16", "10.7.0.0/16"]);
      await user.click(table.getByRole("button", { name: "Reason" }));
      expect(sorted()).toEqual([null, "ascending", null]);
      expect(prefixes()).toEqual(["10.7.0.0/16", "10.8.0.0/16", "10.10.0.0/16", "10.9.0.0/16"]);
      expect(table.getAllByText("1 ×4")).toHaveLength(2);
    });

    it("opens the first of many routes, and others on a press", async () => {
      const { user, table } = await openRefused(
        [1, 2, 3, 4].map((number) => refusedRoute(`10.${number}.0.0/16`, "no ROA", "1")),
      );
      expect(table.getAllByText(/is refused/).map(({ textContent }) => textContent)).toEqual([
        "10.1.0.0/16 is refused.",
      ]);
      const third = table.getByRole("button", { name: "10.3.0.0/16" });
      await user.click(third);
      expect(third.getAttribute("aria-expanded")).toBe("true");
      expect(table.getByText("10.3.0.0/16 is refused.")).toBeTruthy();
      await user.click(third);
      expect(table.queryByText("10.3.0.0/16 is refused.")).toBeNull();
    });

    it("renders only some of a thousand routes, and says how many there are", async () => {
      const { table, prefixes } = await openRefused(
        Array.from({ length: 1000 }, (_, index) =>
          refusedRoute(`10.${Math.floor(index / 256)}.${index % 256}.0/24`, "no ROA", "1"),
        ),
      );
      expect(prefixes().length).toBeLessThan(60);
      expect(prefixes()[0]).toBe("10.0.0.0/24");
      expect(table.getAllByRole("row")[0]?.closest("[role=table]")?.getAttribute("aria-rowcount")).toBe(
        "1001",
      );
      expect(
        table
          .getAllByRole("row")
          .slice(0, 3)
          .map((row) => row.getAttribute("aria-rowindex")),
      ).toEqual(["1", "2", "3"]);
    });
  });

  it("requests again what failed", async () => {
    backend.refuseOnce("getPeerAdvertisedRoutes", 502, { message: "BIRD refused." });
    backend.refuseOnce("getRefusedRoutes", 502, { message: "BIRD refused." });
    const { user, open } = await openTroubleshooting("Issues");
    const advertised = await open("Routes advertised to you", "Show advertised routes");
    await user.click(await advertised.findByRole("button", { name: "Retry" }));
    expect(await advertised.findByText("1 route")).toBeTruthy();
    expect(advertised.queryByRole("button", { name: "Retry" })).toBeNull();
    await user.keyboard("{Escape}");
    await closed();
    const received = await open("Routes received from you", "Show received routes");
    expect(await received.findAllByRole("listitem")).toHaveLength(2);
    await user.click(received.getByRole("tab", { name: "Refused" }));
    expect((await received.findByRole("alert")).textContent).toContain("BIRD refused.");
    await user.click(received.getByRole("button", { name: "Retry" }));
    expect(await received.findByRole("tab", { name: "Refused (5999)" })).toBeTruthy();
  });
});
