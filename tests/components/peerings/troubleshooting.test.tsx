import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallName } from "../../../src/contract/calls.ts";
import type { Health } from "../../../src/domain/health.ts";
import { addPeering } from "../../../src/mocks/samples.ts";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();
const asked = { username: participant.asn, node: "syd01" };

async function openTroubleshooting(health: Health = "OK") {
  addPeering(backend.state(), {}, health);
  backend.state().signedIn = participant.asn;
  const { user, address } = await openApp("/manager?node=syd01&tab=troubleshooting");
  // The tab's own code is loaded with it.
  await screen.findByRole("heading", { name: "BGP config verification" }, { timeout: 10_000 });
  const press = async (name: string) => user.click(screen.getByRole("button", { name }));
  const open = async (name: string, title: string) => {
    await press(name);
    const dialog = await screen.findByRole("dialog", { name: title });
    // A person is not as quick as to close it before it has the focus.
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    return within(dialog);
  };
  return { user, address, press, open };
}

const modals = [
  ["Check BGP config", "BGP Config Check", "troubleshootBGP"],
  ["Routes received from you", "Show received routes", "getPeerReceivedRoutes"],
  ["Routes advertised to you", "Show advertised routes", "getPeerAdvertisedRoutes"],
  ["Restart BGP", "Restart BGP Peer", "restartBGPPeer"],
  ["IPv4 Ping Check", "Ping Check", "pingCheck"],
  ["IPv6 Ping Check", "Ping Check", "pingCheck"],
] as const satisfies ReadonlyArray<readonly [string, string, CallName]>;

/** A modal that fades out; jsdom never ends the transition. */
function closed() {
  return waitFor(() => expect(screen.queryByRole("dialog")?.dataset["state"] ?? "closed").toBe("closed"));
}

/** A call that stays under way until the test answers it, and what became of each request. */
function holdBack(name: CallName) {
  const requests: Array<{ readonly signal: AbortSignal; readonly answer: (json: object) => void }> = [];
  backend.answer(
    name,
    (({ request }: { readonly request: Request }) =>
      new Promise<Response>((resolve) => {
        requests.push({ signal: request.signal, answer: (json) => resolve(Response.json(json)) });
      })) as never,
  );
  return requests;
}

describe.each(modals)("%s", (button, title, name) => {
  it("waits with a loader and Cancel, which ends the request and leads back to its button", async () => {
    const requests = holdBack(name);
    const { user, open } = await openTroubleshooting();
    const modal = await open(button, title);
    expect(modal.getByText(/…$/).closest("[role=status]")).not.toBeNull();
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.click(modal.getByRole("button", { name: "Cancel" }));
    await closed();
    expect(requests[0]?.signal.aborted).toBe(true);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: button })));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("gives up on Escape, and starts anew when it is opened again", async () => {
    const requests = holdBack(name);
    const { user, open } = await openTroubleshooting();
    await open(button, title);
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.keyboard("{Escape}");
    await closed();
    expect(requests[0]?.signal.aborted).toBe(true);
    const again = await open(button, title);
    await waitFor(() => expect(requests).toHaveLength(2));
    requests[0]?.answer({ output: "late" });
    expect(again.getByRole("button", { name: "Cancel" })).toBeTruthy();
    expect(requests[1]?.signal.aborted).toBe(false);
  });

  it("leads to the login screen where the session has ended, and back from there", async () => {
    const { user, press, address } = await openTroubleshooting();
    backend.state().signedIn = null;
    await press(button);
    await screen.findByRole("heading", { name: "Login page" });
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.type(screen.getByLabelText("ASN"), participant.asn);
    await user.type(screen.getByLabelText("Password"), participant.password);
    await user.click(screen.getByRole("button", { name: "Login" }));
    await screen.findByRole("button", { name: button });
    expect(address()).toBe("/manager?node=syd01&tab=troubleshooting");
  });

  it("says to wait where too much was asked", async () => {
    backend.refuse(name, 429, { message: "Too many queries at once. Wait a moment and try again." });
    const { open } = await openTroubleshooting();
    const modal = await open(button, title);
    const alert = await modal.findByRole("alert");
    expect(alert.textContent).toContain("Too many queries at once. Wait a moment and try again.");
    expect(modal.getByRole("button", { name: "Close" })).toBeTruthy();
    expect(modal.queryByRole("button", { name: "Cancel" })).toBeNull();
  });
});

describe("the BGP check", () => {
  it("shows both verdicts and the counts of each family", async () => {
    backend.answer("troubleshootBGP", () =>
      Response.json({
        address_families: "OK",
        bgp_extnh: "Your side of dn42_4242420001 does not announce extended next hop.",
        received_routes: { ipv4: 4, ipv6: 3 },
        filtered_routes: { ipv4: 0, ipv6: 0 },
        rejected_routes: { ipv4: 0, ipv6: 0 },
      }),
    );
    const { open } = await openTroubleshooting();
    const modal = await open("Check BGP config", "BGP Config Check");
    const rows = within(await modal.findByRole("table", { name: "Routes" })).getAllByRole("row");
    expect(rows.map((row) => Array.from(row.children, (cell) => cell.textContent))).toEqual([
      ["Count", "IPv4", "IPv6"],
      ["Received", "4", "3"],
      ["Filtered", "0", "0"],
      ["Rejected", "0", "0"],
    ]);
    expect(modal.getAllByRole("definition").map((value) => value.textContent)).toEqual([
      "OK",
      "IssuesYour side of dn42_4242420001 does not announce extended next hop.",
    ]);
    expect(modal.queryByRole("button", { name: "Show refused routes" })).toBeNull();
    expect(backend.sent("troubleshootBGP")).toEqual([asked]);
  });

  it("leads from filtered routes to their reasons", async () => {
    const { user, open } = await openTroubleshooting("Issues");
    const check = await open("Check BGP config", "BGP Config Check");
    await user.click(await check.findByRole("button", { name: "Show refused routes" }));
    const modal = within(await screen.findByRole("dialog", { name: "Show received routes" }));
    expect((await modal.findByRole("tab", { name: "Refused (6000)" })).ariaSelected).toBe("true");
    expect(modal.getByText("0.0.0.0/0")).toBeTruthy();
  });

  it("says so when it cannot be had", async () => {
    backend.refuse("troubleshootBGP", 503, { message: "syd01 cannot be reached." });
    const { open } = await openTroubleshooting();
    const modal = await open("Check BGP config", "BGP Config Check");
    expect((await modal.findByRole("alert")).textContent).toBe(
      "Failed to retrieve BGP config. The node may be unavailable. Please try again later.syd01 cannot be reached.",
    );
  });
});

describe("routes", () => {
  // jsdom lays nothing out; the list is told that it has room for some rows.
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

  it("lists a thousand with only some in the document, filters them, and copies all", async () => {
    backend.answer("getPeerAdvertisedRoutes", () => Response.json({ output }));
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
    await user.type(modal.getByRole("textbox", { name: "Filter" }), "10.4. as4242421");
    expect(await modal.findByText("19 of 1043 routes")).toBeTruthy();
    await user.clear(modal.getByRole("textbox", { name: "Filter" }));
    await user.type(modal.getByRole("textbox", { name: "Filter" }), "nothing");
    expect(await modal.findByText("0 of 1043 routes")).toBeTruthy();
    expect(modal.getByText("No route holds every word of the filter.")).toBeTruthy();
    await user.click(modal.getByRole("button", { name: "Copy to clipboard" }));
    expect(await navigator.clipboard.readText()).toBe(output);
    expect((await modal.findByText("copied")).closest("[aria-live=polite]")).not.toBeNull();
    expect(await modal.findByRole("button", { name: "Copy to clipboard" }, { timeout: 4000 })).toBeTruthy();
  });

  it("says that a listing was cut, and that there is none", async () => {
    backend.answer("getPeerAdvertisedRoutes", () =>
      Response.json({ output: `${output}(cut here, after code 1008)\n` }),
    );
    backend.answer("getPeerReceivedRoutes", () => Response.json({ output: "BIRD 2.0.12 ready.\n" }));
    const { user, open } = await openTroubleshooting();
    const advertised = await open("Routes advertised to you", "Show advertised routes");
    expect(await advertised.findByText(/the listing was cut where it became too long/)).toBeTruthy();
    await user.keyboard("{Escape}");
    await closed();
    const received = await open("Routes received from you", "Show received routes");
    expect(await received.findByText("The node receives no routes from you.")).toBeTruthy();
    expect(received.getByRole("button", { name: "Copy to clipboard" })).toBeTruthy();
  });

  it("tells of every refused route what mends it, limits first", async () => {
    const { user, open } = await openTroubleshooting("Issues");
    const modal = await open("Routes received from you", "Show received routes");
    expect((await modal.findAllByRole("listitem")).map((row) => row.textContent?.split(" ")[0])).toEqual([
      "172.20.201.0/26",
      "filtered0.0.0.0/0",
    ]);
    await user.click(modal.getByRole("tab", { name: "Refused (6000)" }));
    const panel = await modal.findByRole("tabpanel");
    expect(panel.textContent).toMatch(/^The node stopped taking IPv4 routes from you at 6000/);
    expect(
      within(panel).getByText(
        "The node refuses 6000 IPv4 routes and 0 IPv6 routes. The first 2 are listed here.",
      ),
    ).toBeTruthy();
    expect(
      within(panel)
        .getAllByRole("definition")
        .map((value) => value.textContent),
    ).toEqual([
      "Leave it out of what you export to the node.",
      participant.asn,
      'Create route/172.20.201.64_27 with "origin: AS4242420001", under inetnum/172.20.201.0_24 of ADA-MNT.',
      "route/172.20.201.64_27",
      participant.asn,
    ]);
  });

  it("shows the routes also where the refused ones cannot be had", async () => {
    backend.refuse("getRefusedRoutes", 503, { message: "syd01 cannot be reached." });
    const { user, open } = await openTroubleshooting();
    const modal = await open("Routes received from you", "Show received routes");
    expect(await modal.findByText("1 route")).toBeTruthy();
    await user.click(modal.getByRole("tab", { name: "Refused" }));
    expect((await modal.findByRole("alert")).textContent).toContain("syd01 cannot be reached.");
  });

  it.each([
    ["Routes received from you", "Show received routes", "getPeerReceivedRoutes"],
    ["Routes advertised to you", "Show advertised routes", "getPeerAdvertisedRoutes"],
  ] as const)("%s: a failure says 'Failed!'", async (button, title, name) => {
    backend.refuse(name, 503, { message: "syd01 cannot be reached." });
    const { open } = await openTroubleshooting();
    const modal = await open(button, title);
    expect((await modal.findByRole("alert")).textContent).toBe("Failed!syd01 cannot be reached.");
  });
});

describe("actions", () => {
  it("restarts BGP, shows what BIRD printed, and asks for the state again", async () => {
    const { open } = await openTroubleshooting();
    const before = backend.sent("getPeerStatus").length;
    const modal = await open("Restart BGP", "Restart BGP Peer");
    expect(await modal.findByText(/^The BGP sessions were restarted\./)).toBeTruthy();
    expect(modal.getByRole("region", { name: "Output" }).textContent).toBe("dn42_4242420001: restarted");
    await waitFor(() => expect(backend.sent("getPeerStatus").length).toBeGreaterThan(before));
  });

  it("shows the output of a restart that failed", async () => {
    backend.refuse("restartBGPPeer", 502, {
      message: "BIRD did not restart the sessions. They are as before.",
      output: "BIRD 2.0.12 ready.\nAccess denied\n",
    });
    const { open } = await openTroubleshooting();
    const modal = await open("Restart BGP", "Restart BGP Peer");
    expect((await modal.findByRole("alert")).textContent).toBe(
      "Failed!BIRD did not restart the sessions. They are as before.",
    );
    expect(modal.getByRole("region", { name: "Output" }).textContent).toContain("Access denied");
  });

  it.each([
    ["IPv4", "ipv4", "The tunnel has no ipv4 address.", "Failed!"],
    ["IPv6", "ipv6", "PING fe80::1:1: 4 packets transmitted, 4 received, 12.4 ms", null],
  ] as const)("pings over %s", async (name, family, output, failure) => {
    const { open } = await openTroubleshooting();
    const modal = await open(`${name} Ping Check`, "Ping Check");
    expect((await modal.findByRole("region", { name: "Output" })).textContent).toBe(output);
    expect(modal.queryByRole("alert")?.textContent ?? null).toBe(failure);
    expect(backend.sent("pingCheck")).toEqual([{ ...asked, addr_family: family }]);
  });
});
