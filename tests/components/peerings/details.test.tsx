import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { addPeering } from "../../../src/mocks/samples.ts";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();

async function openDetails() {
  addPeering(backend.state());
  backend.state().signedIn = participant.asn;
  return openApp("/manager?node=syd01&tab=details");
}

const printed = async (part: string) =>
  (await screen.findByRole("region", { name: `${part} output` })).textContent;

it("shows what WireGuard and BIRD print, each with its copy button, and asks again when told to", async () => {
  const { user } = await openDetails();
  expect(await printed("Wireguard")).toMatch(/^interface: dn42_4242420001\n {2}listening port: 20001\n/);
  expect(await printed("BGP")).toBe("dn42_4242420001  BGP  ---  up  2026-11-20  Established");
  expect(screen.getByText(/^Printed by syd01/).textContent).toBe("Printed by syd01 0 s ago");
  await user.click(within(screen.getByRole("region", { name: "BGP" })).getByText("Copy to clipboard"));
  expect(await navigator.clipboard.readText()).toMatch(/Established$/);
  expect(backend.sent("getPeerDetails")).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Refresh" }));
  expect(backend.sent("getPeerDetails")).toHaveLength(2);
});

it("shows a loader while the node is asked", async () => {
  backend.state().hanging.push("getPeerDetails");
  await openDetails();
  expect(await screen.findByText("Asking the node…")).toBeTruthy();
});

it("says what went wrong, and tries again", async () => {
  backend.refuse("getPeerDetails", 404, { message: "syd01 does not run this peering yet." });
  const { user } = await openDetails();
  const told = "The node's output could not be loaded. syd01 does not run this peering yet.";
  expect(await screen.findByText(told)).toBeTruthy();
  backend.answer("getPeerDetails", () =>
    Response.json({ syd01: { wg_details: { output: "interface: x" }, bgp_details: { output: "" } } }),
  );
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await printed("Wireguard")).toBe("interface: x");
  expect(await printed("BGP")).toBe("Nothing was printed.");
});

it("asks a node that cannot be reached once, since the server has waited for it already", async () => {
  const message = "syd01 cannot be reached. Nothing was changed; try again in a minute.";
  backend.refuse("getPeerDetails", 503, { message });
  await openDetails();
  expect(await screen.findByText(message, { exact: false }, { timeout: 5_000 })).toBeTruthy();
  expect(backend.sent("getPeerDetails")).toHaveLength(1);
});
