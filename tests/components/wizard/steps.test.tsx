import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "../../../src/mocks/samples.ts";
import { provider } from "../../../src/mocks/provider.ts";
import { useBackend } from "../accounts/open-app.tsx";
import {
  answer,
  chooseNode,
  fill,
  forward,
  openWizard,
  press,
  publicKey,
  questions,
} from "./open-wizard.tsx";

const restored = "This is what you entered before. Cancel discards it.";
const backend = useBackend();

async function openFamilyStep() {
  const app = await openWizard(backend);
  await chooseNode(app.user);
  return app;
}

describe("the node step", () => {
  it("offers every node, the peered ones disabled, and wants one chosen", async () => {
    addPeering(backend.state(), { node: "de01" });
    const { user } = await openWizard(backend);
    const group = await screen.findByRole("group", { name: "Node" });
    const buttons = Array.from(group.querySelectorAll("button"));
    expect(buttons.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
      ["syd01.dn42.example.netSydney, Australia", false],
      ["per01.dn42.example.netPerth, Australia", false],
      ["sin01.dn42.example.netSingapore", false],
      ["de01.dn42.example.netFrankfurt, Germany · already peered", true],
      ["ny01.dn42.example.netNew York, United States", false],
      ["za01.dn42.example.netJohannesburg, South Africa", false],
    ]);
    expect(screen.getByText("Only one peering per provider node is possible at the moment.")).toBeTruthy();
    expect(forward().disabled).toBe(true);
    await press(user, "sin01.dn42.example.net Singapore");
    expect(forward().disabled).toBe(false);
    expect(screen.getByRole("button", { pressed: true }).textContent).toContain("sin01");
    expect(screen.queryByRole("button", { name: "Back" })).toBeNull();
  });

  it("says so where every node is peered already", async () => {
    for (const { name } of provider.nodes) addPeering(backend.state(), { node: name });
    await openWizard(backend);
    const told = "You peer with every node already. A peering can be changed from its page.";
    expect(await screen.findByText(told)).toBeTruthy();
    expect(forward().disabled).toBe(true);
  });

  it("tells that the nodes could not be loaded, and tries again", async () => {
    backend.state().failing.push("getNodesList");
    const { user } = await openWizard(backend);
    const retry = await screen.findByRole("button", { name: "Retry" }, { timeout: 5_000 });
    backend.state().failing.length = 0;
    await user.click(retry);
    expect(await screen.findByRole("group", { name: "Node" })).toBeTruthy();
  });
});

describe("the family step", () => {
  it.each([
    ["IPv4", [], [], true],
    ["IPv6", [], ["customLocalIpv6"], true],
    ["Both", [], ["extendedNextHop", "customLocalIpv6"], false],
    ["Both", [["extendedNextHop", "Yes"]], ["extendedNextHop", "customLocalIpv6"], true],
    ["Both", [["extendedNextHop", "No"]], ["extendedNextHop", "customLocalIpv6"], true],
    ["Both", [["customLocalIpv6", "Yes"]], ["extendedNextHop", "customLocalIpv6"], false],
  ] as const)("%s, answered %j, asks %j and lets on: %s", async (family, answers, asked, enabled) => {
    const { user } = await openFamilyStep();
    expect(forward().disabled).toBe(true);
    await answer(user, questions.family, family);
    for (const [question, choice] of answers) await answer(user, questions[question], choice);
    for (const question of ["extendedNextHop", "customLocalIpv6"] as const) {
      const shown = screen.queryByRole("group", { name: questions[question] }) !== null;
      expect([question, shown]).toEqual([question, (asked as readonly string[]).includes(question)]);
    }
    expect(forward().disabled).toBe(!enabled);
  });

  it("reveals the address of our side on Yes, and holds back while it is invalid", async () => {
    const { user } = await openFamilyStep();
    await answer(user, questions.family, "IPv6");
    expect(screen.getByText("If you select No, we will create one for you.")).toBeTruthy();
    await answer(user, questions.customLocalIpv6, "Yes");
    await fill(user, "Enter the IPv6 address (link-local preferred):", "fe80::zz");
    await user.tab();
    expect(screen.getByText("Invalid value")).toBeTruthy();
    expect(forward().disabled).toBe(true);
    await answer(user, questions.customLocalIpv6, "No");
    expect(forward().disabled).toBe(false);
  });
});

describe("the details step", () => {
  const complete = {
    "Public IP or hostname": "router.example.org",
    Port: "51820",
    "Public key": publicKey,
  };
  const ipv4 = { "IPv4 tunnel address": "172.20.201.1" };
  const ipv6 = { "IPv6 tunnel address": "fe80::1" };

  it.each([
    ["IPv4", "", ["IPv4 tunnel address"], ipv4],
    ["IPv6", "", ["IPv6 tunnel address"], {}],
    ["Both", "Yes", ["IPv6 tunnel address"], ipv6],
    ["Both", "No", ["IPv4 tunnel address", "IPv6 tunnel address"], ipv4],
  ] as const)("%s with extended next hop %j shows %j and needs %j", async (family, extnh, shown, needed) => {
    const { user } = await openFamilyStep();
    await answer(user, questions.family, family);
    if (extnh !== "") await answer(user, questions.extendedNextHop, extnh);
    await press(user, "Next");
    await screen.findByRole("heading", { name: "Your details" });
    const labels = screen
      .getAllByRole<HTMLInputElement>("textbox")
      .map(({ labels: of }) => of?.[0]?.textContent);
    expect(labels).toEqual([...Object.keys(complete), ...shown]);
    const wanted = Object.entries({ ...complete, ...needed });
    for (const [label, value] of wanted) {
      expect(forward().disabled).toBe(true);
      await fill(user, label, value);
    }
    expect(forward().disabled).toBe(false);
  });

  it("says 'Invalid value' once a field was left, with what is expected, and not before", async () => {
    const { user } = await openFamilyStep();
    await answer(user, questions.family, "IPv4");
    await press(user, "Next");
    await fill(user, "Port", "065");
    expect(screen.queryByText("Invalid value")).toBeNull();
    await user.tab();
    const port = screen.getByRole("textbox", { name: "Port" });
    expect(port.getAttribute("aria-invalid")).toBe("true");
    const described = port.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      "Invalid value",
      "The UDP port that your WireGuard listens on: a whole number from 1 to 65535.",
    ]);
    await fill(user, "Port", "65");
    expect(port.getAttribute("aria-invalid")).toBe("false");
  });
});

describe("moving between steps", () => {
  it("keeps what was entered, by the buttons and by the browser's history", async () => {
    const { user, router } = await openFamilyStep();
    await answer(user, questions.family, "IPv4");
    await press(user, "Next");
    await fill(user, "Port", "51820");
    await press(user, "Back");
    await screen.findByRole("heading", { name: "BGP details" });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "IPv4" }).checked).toBe(true);
    router.history.back();
    await screen.findByRole("heading", { name: "Your details" });
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Port" }).value).toBe("51820");
  });

  it("keeps what was entered when the wizard is left without Cancel", async () => {
    const { user, router } = await openFamilyStep();
    await answer(user, questions.family, "IPv6");
    await user.click(screen.getByRole("link", { name: "Dashboard" }));
    await screen.findByRole("heading", { name: "Dashboard" });
    router.history.back();
    await screen.findByRole("heading", { name: "BGP details" });
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "IPv6" }).checked).toBe(true);
    expect(screen.getByText(restored)).toBeTruthy();
    await answer(user, questions.family, "IPv4");
    expect(screen.queryByText(restored)).toBeNull();
  });

  it("forgets it on Cancel, which leads to the dashboard", async () => {
    const { user, address } = await openFamilyStep();
    await press(user, "Cancel");
    await screen.findByRole("heading", { name: "Dashboard" });
    expect(address()).toBe("/manager");
    await user.click(screen.getByRole("link", { name: "Create new peering" }));
    await screen.findByRole("group", { name: "Node" });
    expect(screen.queryByRole("button", { pressed: true })).toBeNull();
  });

  it("moves the focus to the next step's heading", async () => {
    await openFamilyStep();
    expect(screen.queryByText(restored)).toBeNull();
    expect(document.activeElement?.textContent).toBe("BGP details");
  });

  it("does not skip an incomplete step that the address asks to skip", async () => {
    const { address } = await openWizard(backend, "/manager/updatepeer/new?step=confirmDetails");
    await screen.findByRole("heading", { name: "Select a node" });
    expect(address()).toBe("/manager/updatepeer/new?step=selectNode");
  });
});
