import { screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { cacheResponse } from "#browser-storage/cached-responses.ts";
import { setOwner } from "#browser-storage/owner.ts";
import { fetchedAtHeader } from "#contract/app/worker-messages.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { useIndexedDb } from "../../support/indexed-db.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { parentOf } from "../../support/parent-of.ts";

const backend = useBackend();
useIndexedDb();

afterEach(() => {
  vi.useRealTimers();
});

async function openDetails() {
  addPeering(backend.state);
  backend.state.loggedInAs = participant.asn;
  return openApp("/manager?node=syd01&tab=details");
}

const printed = async (part: string) =>
  (await screen.findByRole("region", { name: `${part} output` }, { timeout: 5_000 })).textContent;

it("shows what WireGuard and BIRD print, each with its copy button, and refreshes on demand", async () => {
  // A stopped clock: the age does not depend on the machine's speed.
  vi.useFakeTimers({ toFake: ["Date"] });
  const { user } = await openDetails();
  expect(await printed("Wireguard")).toMatch(/^interface: dn42_4242420001\n {2}listening port: 20001\n/);
  expect(await printed("BGP")).toBe("dn42_4242420001  BGP  ---  up  2026-11-20  Established");
  expect(parentOf(screen.getByText(/^Output from syd01/)).textContent).toBe(
    "Output from syd01.dn42.example.net, 0 s ago",
  );
  await user.click(within(screen.getByRole("region", { name: "BGP" })).getByText("Copy to clipboard"));
  expect(await navigator.clipboard.readText()).toMatch(/Established$/);
  expect(backend.sent("getPeerDetails")).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Refresh" }));
  expect(backend.sent("getPeerDetails")).toHaveLength(2);
});

it("says that the node could not be reached without another request, and retries on request", async () => {
  backend.refuse("getPeerDetails", 503, { message: "syd01.dn42.example.net cannot be reached." });
  const { user } = await openDetails();
  await screen.findByText("The node's output could not be loaded. syd01.dn42.example.net cannot be reached.");
  expect(backend.sent("getPeerDetails")).toHaveLength(1);
  backend.reply("getPeerDetails", {
    syd01: { wg_details: { output: "interface: x" }, bgp_details: { output: "" } },
  });
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await printed("Wireguard")).toBe("interface: x");
  expect(await printed("BGP")).toBe("No output.");
  // A rejected refresh keeps the output.
  backend.refuse("getPeerDetails", 429, { message: "Too many queries at once." });
  await user.click(screen.getByRole("button", { name: "Refresh" }));
  await screen.findByText("The node's output could not be loaded. Too many queries at once.");
  expect(await printed("Wireguard")).toBe("interface: x");
});

const age = () => parentOf(screen.getByText(/^Output from syd01/)).textContent;

it("shows the output that the device has at once, with its age, while a silent node keeps its request waiting", async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
  backend.reply("getPeerDetails", () => response);
  const { asn } = participant;
  await setOwner(asn, Date.now());
  const key = {
    username: asn,
    path: "/api/getPeerDetails",
    requestBody: `{"username":"${asn}","node":"syd01"}`,
  };
  const syd01 = { wg_details: { output: "interface: x" }, bgp_details: { output: "up" } };
  await cacheResponse(key, { body: JSON.stringify({ syd01 }), fetchedAt: Date.now() - 190_000 });
  await openDetails();
  expect(await printed("Wireguard")).toBe("interface: x");
  expect(age()).toBe("Output from syd01.dn42.example.net, last known, 3 min ago");
  expect(screen.queryByText("Loading output from the node…")).toBeNull();
  expect(screen.getByRole("button", { name: "Refresh" }).ariaBusy).toBe("true");
  respond(Response.json({ message: "syd01 cannot be reached." }, { status: 503 }));
  await screen.findByText("The node's output could not be loaded. syd01 cannot be reached.");
  expect(await printed("BGP")).toBe("up");
  expect(age()).toContain("last known");
});

it("shows a loader while the query to the node is pending, and marks cached output with its age", async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
  backend.reply("getPeerDetails", () => response);
  await openDetails();
  expect(await screen.findByText("Loading output from the node…")).toBeTruthy();
  const details = { wg_details: { output: "interface: x" }, bgp_details: { output: "" } };
  const headers = { [fetchedAtHeader]: String(Date.now() - 190_000) };
  respond(Response.json({ syd01: details }, { headers }));
  expect(await printed("Wireguard")).toBe("interface: x");
  expect(parentOf(screen.getByText(/^Output from syd01/)).textContent).toBe(
    "Output from syd01.dn42.example.net, last known, 3 min ago",
  );
});
