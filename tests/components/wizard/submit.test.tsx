import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "../../../src/mocks/samples.ts";
import { specialHosts } from "../../../src/mocks/outcomes.ts";
import { participant } from "../../../src/mocks/state.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { fill, fillToConfirm, forward, openWizard, press, publicKey } from "./open-wizard.tsx";

const backend = useBackend();

async function confirmed(host: string) {
  const app = await openWizard(backend);
  await fillToConfirm(app.user, host);
  return app;
}

async function conflictedEdit() {
  addPeering(backend.state());
  const app = await openWizard(backend, "/manager/updatepeer/edit?node=syd01");
  await press(app.user, "Next");
  await fill(app.user, "Port", "4000");
  addPeering(backend.state(), { remote_port: "5000" });
  await press(app.user, "Next");
  await press(app.user, "Submit");
  await screen.findByRole("button", { name: "Keep mine" });
  return app;
}

describe("the confirm step", () => {
  it("lists all entries, and what was not provided", async () => {
    await confirmed("router.example.org");
    const values = screen.getAllByRole("definition").map((value) => value.textContent);
    expect(screen.getAllByRole("term").map((label, index) => [label.textContent, values[index]])).toEqual([
      ["Network", "AS4242422227"],
      ["Signed in as", "AS4242420001"],
      ["Node", "syd01.dn42.example.net"],
      ["Address family", "IPv4"],
      ["Extended Nexthop", "No"],
      ["Public IP or hostname", "router.example.org"],
      ["Port", "51820"],
      ["Public key", publicKey],
      ["IPv4 tunnel address", "172.20.201.1"],
      ["IPv6 tunnel address", "[not provided]"],
      ["Tunnel IPv6 of our side", "[not provided]"],
    ]);
  });

  it("submits the two-item body and goes on to the deployment", async () => {
    const { user, address } = await confirmed("router.example.org");
    await press(user, "Submit");
    await screen.findByText("mock-1");
    expect(backend.sent("updatePeerConfig")).toEqual([
      [
        { username: participant.asn },
        {
          node: "syd01",
          address_family: "IPv4",
          bgp_extnh: "No",
          remote_ip: "router.example.org",
          remote_port: "51820",
          peer_ipv4: "172.20.201.1",
          peer_ipv6: "",
          local_ipv6: "",
          public_key: publicKey,
          generation: 0,
        },
      ],
    ]);
    expect(address()).toBe("/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=mock-1");
    expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
  });
});

describe("a refused value", () => {
  it("returns to its field with the server's words and everything kept", async () => {
    const { user } = await confirmed(specialHosts.refused);
    await press(user, "Submit");
    await screen.findByRole("heading", { name: "Your details" });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "The server refused the value marked below. Nothing was deployed; everything you entered is kept.",
    );
    const host = screen.getByRole<HTMLInputElement>("textbox", { name: "Public IP or hostname" });
    expect(host.getAttribute("aria-invalid")).toBe("true");
    expect(
      screen.getByText("refused.example.org is a node of ours. Enter the address of your own router."),
    ).toBeTruthy();
    expect(screen.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value)).toEqual([
      specialHosts.refused,
      "51820",
      publicKey,
      "172.20.201.1",
    ]);
    await fill(user, "Public IP or hostname", "router.example.org");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(host.getAttribute("aria-invalid")).toBe("false");
  });

  it("stands on the family step where its field is not typed", async () => {
    const { user } = await confirmed("router.example.org");
    backend.refuse("updatePeerConfig", 422, {
      message: "This node has no IPv4 tunnel address.",
      field: "address_family",
    });
    await press(user, "Submit");
    await screen.findByRole("heading", { name: "BGP details" });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "This node has no IPv4 tunnel address. Nothing was deployed; everything you entered is kept.",
    );
  });
});

describe("a peering that changed meanwhile", () => {
  it("stops Submit until a version is chosen", async () => {
    await conflictedEdit();
    expect(screen.getByRole("alert").textContent).toContain(
      "This peering was changed meanwhile. Nothing of yours was deployed. Everything you entered is still here.",
    );
    expect(forward("Submit").disabled).toBe(true);
  });

  it("is replaced by what was entered on 'Keep mine'", async () => {
    const { user } = await conflictedEdit();
    await press(user, "Keep mine");
    await screen.findByRole("button", { name: "Submit" });
    await press(user, "Submit");
    await screen.findByText("mock-3");
    const sent = backend.sent("updatePeerConfig").at(-1) as [unknown, Record<string, unknown>];
    expect([sent[1]["remote_port"], sent[1]["generation"]]).toEqual(["4000", 2]);
  });

  it("replaces what was entered on 'Load the current version'", async () => {
    const { user } = await conflictedEdit();
    await press(user, "Load the current version");
    await screen.findByRole("heading", { name: "BGP details" });
    await press(user, "Next");
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Port" })).value).toBe("5000");
  });
});

describe("a submit that fails", () => {
  it("leads to the login screen where the session has ended, and back to the kept form", async () => {
    const { user, address } = await confirmed("router.example.org");
    backend.state().signedIn = null;
    await press(user, "Submit");
    await screen.findByRole("heading", { name: "Login page" });
    await user.type(screen.getByLabelText("ASN"), participant.asn);
    await user.type(screen.getByLabelText("Password"), participant.password);
    await press(user, "Login");
    await screen.findByRole("heading", { name: "Confirm your details" });
    expect(screen.getByText("router.example.org")).toBeTruthy();
    expect(address()).toBe("/manager/updatepeer/new?step=confirmDetails");
  });

  it.each([
    ["refused by a broken server", "The server made a mistake. Nothing was changed.", () => {}],
    [
      "not answered",
      "The server could not be reached. Check your connection and try again.",
      () => backend.cutOff("updatePeerConfig"),
    ],
  ])("is a failure at once when %s, and leads back to the kept form", async (_, reason, happens) => {
    const { user } = await confirmed(specialHosts.broken);
    happens();
    await press(user, "Submit");
    const failed = await screen.findByRole("heading", { name: "Failed" });
    expect(within(screen.getByRole("main")).getByRole("definition").textContent).toBe("unknown");
    expect(screen.getByRole("alert").textContent).toBe(`${reason} Everything you entered is kept.`);
    expect(failed).toBeTruthy();
    await press(user, "Review and redeploy");
    await screen.findByRole("heading", { name: "Confirm your details" });
    expect(screen.getByText(specialHosts.broken)).toBeTruthy();
  });
});
