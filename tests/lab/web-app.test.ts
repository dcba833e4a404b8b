/**
 * The main job on real routers: each participant of the lab creates a peering in the web app, in each
 * combination of address families, applies the config for its side, uses the tunnel, and deletes the peering.
 */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { joinNode, leaveNode } from "../../src/lab/join.ts";
import { type LabParticipant, type RunningLab, startLab } from "../../src/lab/lab.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { findNodePlan, participants, provider } from "../../src/lab/network.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { visit } from "../e2e/visit.ts";
import { choose, chooseNode, fill, nextStep, submit } from "../e2e/wizard.ts";
import { eventually } from "./eventually.ts";
import { findHost } from "./peering.ts";
import { establishedSince, isSameSession } from "./router-state.ts";
import { takeSnapshot } from "./router-snapshot.ts";

interface Combination {
  readonly name: string;
  readonly node: string;
  readonly family: "IPv4" | "IPv6" | "Both";
  readonly extendedNextHop: "Yes" | "No" | null;
  readonly tunnelFamilies: readonly ("IPv4" | "IPv6")[];
}

const combinations: readonly Combination[] = [
  { name: "IPv4", node: "syd01", family: "IPv4", extendedNextHop: null, tunnelFamilies: ["IPv4"] },
  { name: "IPv6", node: "per01", family: "IPv6", extendedNextHop: null, tunnelFamilies: ["IPv6"] },
  {
    name: "Both with extended next hop",
    node: "sin01",
    family: "Both",
    extendedNextHop: "Yes",
    tunnelFamilies: ["IPv6"],
  },
  {
    name: "Both without extended next hop",
    node: "de01",
    family: "Both",
    extendedNextHop: "No",
    tunnelFamilies: ["IPv4", "IPv6"],
  },
];

let lab: RunningLab;
let browser: Browser;

beforeAll(async () => {
  [lab, browser] = await Promise.all([startLab({ port: 0, onMail: () => {} }), launchBrowser("shell")]);
});
afterAll(async () => {
  await browser.close();
  await lab[Symbol.asyncDispose]();
});

describe.each(participants)("AS$asn with $speaker", ({ asn, password, name }) => {
  let participant: LabParticipant;
  let host: LabHost;
  let visiting: Awaited<ReturnType<typeof visit>>;
  let page: Page;

  beforeAll(async () => {
    const found = lab.participants.find(({ plan }) => plan.asn === asn);
    if (!found) throw new Error(`the lab has no ${name}`);
    participant = found;
    ({ host } = found);
    visiting = await visit(browser, lab.url);
    ({ page } = visiting);
    await page.goto("/login");
    await page.getByLabel("ASN").fill(asn);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("You don't appear to have any peerings yet.").waitFor();
  });
  afterAll(async () => {
    await visiting[Symbol.asyncDispose]();
    expect(visiting.consoleErrors).toEqual([]);
  });

  test.each(combinations)("peers with $name on $node and leaves no trace", async (combination) => {
    const { node } = combination;
    const plan = findNodePlan(node);
    const router = findHost(lab, node);
    const before = await takeSettledSnapshot(router);

    await create(page, participant, combination);
    await joinNode(lab.url, participant.plan, host, node);
    await waitUntilUp(page, node);

    const families = combination.family === "Both" ? (["IPv4", "IPv6"] as const) : [combination.family];
    for (const family of families) {
      const route = await eventually(
        () => kernelRoute(host, family),
        (text) => text.includes(`dev ${participantInterface(provider.asn, node)}`),
      );
      expect(route).toContain(family === "IPv4" ? "172.20.222.0/24" : "fd42:4242:2227::/48");
      await eventually(
        () => repliesToPing(host, family === "IPv4" ? plan.ipv4 : plan.ipv6),
        (answered) => answered,
      );
    }

    await remove(page, node);
    await leaveNode(participant.plan, host, node);
    await eventually(
      () => takeSnapshot(router),
      (now) => JSON.stringify(now) === JSON.stringify(before),
    );
  });

  test("editing a peering keeps its tunnel up", async () => {
    const node = "ny01";
    const router = findHost(lab, node);
    await create(page, participant, {
      name: "",
      node,
      family: "IPv6",
      extendedNextHop: null,
      tunnelFamilies: ["IPv6"],
    });
    await joinNode(lab.url, participant.plan, host, node);
    await waitUntilUp(page, node);
    const tunnel = async () => {
      const [handshake, session] = await Promise.all([
        router.run("wg", "show", `dn42_${asn}`, "latest-handshakes"),
        router.run("birdc", "show", "protocols", `dn42_${asn}_v6`),
      ]);
      return { handshake, since: establishedSince(session) };
    };
    const before = await tunnel();
    expect(before.handshake).not.toMatch(/\t0$/m);

    await page.goto(`/manager?node=${node}&tab=edit`);
    await page.getByRole("link", { name: "Change your details" }).click();
    await choose(page, /Address family/, "Both");
    await choose(page, /Extended Nexthop/, "No");
    await nextStep(page);
    await fill(page, { "IPv4 tunnel address": participant.plan.ipv4.address });
    await nextStep(page);
    await submit(page);
    await page.getByText("Here is the config for your side:").waitFor();

    const after = await tunnel();
    expect(after.handshake).toBe(before.handshake);
    expect(after.since).toSatisfy((since: number | null) => isSameSession(before.since, since));
    expect(await router.run("birdc", "show", "protocols")).toContain(`dn42_${asn}_v4`);
    await joinNode(lab.url, participant.plan, host, node);
    await waitUntilUp(page, node);
    await remove(page, node);
    await leaveNode(participant.plan, host, node);
  });
});

/** Takes a snapshot of the router once it has all routes from the other nodes. */
function takeSettledSnapshot(router: LabHost) {
  return eventually(
    () => takeSnapshot(router),
    ({ sessions }) => sessions.split("\n").filter((line) => line.includes("Established")).length === 5,
  );
}

async function create(
  page: Page,
  { plan, publicKey }: LabParticipant,
  { node, family, extendedNextHop, tunnelFamilies }: Combination,
): Promise<void> {
  await chooseNode(page, node);
  await choose(page, /Address family/, family);
  if (extendedNextHop) await choose(page, /Extended Nexthop/, extendedNextHop);
  await nextStep(page);
  await fill(page, {
    "Public IP or hostname": plan.publicIp,
    Port: "51820",
    "Public key": publicKey,
    ...(tunnelFamilies.includes("IPv4") && { "IPv4 tunnel address": plan.ipv4.address }),
    ...(tunnelFamilies.includes("IPv6") && { "IPv6 tunnel address": "fe80::1:1" }),
  });
  await nextStep(page);
  await submit(page);
  await page.getByText("Here is the config for your side:").waitFor();
}

/** Reloads the peering's page until it shows that everything is up. */
async function waitUntilUp(page: Page, node: string): Promise<void> {
  await eventually(
    async () => {
      await page.goto(`/manager?node=${node}`);
      await page.getByRole("heading", { name: "BGP" }).first().waitFor();
      return page.getByRole("main").innerText();
    },
    (text) => text.includes("Up ✅") && text.includes("Established ✅") && !text.includes("Down ❌"),
  );
}

async function remove(page: Page, node: string): Promise<void> {
  await page.goto(`/manager?node=${node}&tab=edit`);
  await page.getByRole("button", { name: "Delete peering" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText("You have successfully deleted the peering on this node.").waitFor();
}

/**
 * Returns whether a ping through the tunnel succeeds: the node learns the route a moment after the session
 * comes up.
 */
async function repliesToPing(host: LabHost, address: string): Promise<boolean> {
  return host.run("ping", "-n", "-c", "1", "-W", "1", address).then(
    () => true,
    () => false,
  );
}

/** Reads the participant's route to the provider's network. */
function kernelRoute(host: LabHost, family: "IPv4" | "IPv6"): Promise<string> {
  return family === "IPv4"
    ? host.run("ip", "route", "show", "172.20.222.0/24")
    : host.run("ip", "-6", "route", "show", "fd42:4242:2227::/48");
}
