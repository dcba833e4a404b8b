/**
 * The main job on real routers: each participant of the lab peers with a node by clicking, in each combination
 * of families, applies the config for their side, and uses the tunnel; then deletes the peering again.
 */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joinNode, leaveNode } from "../../src/lab/join.ts";
import { type LabParticipant, type RunningLab, startLab } from "../../src/lab/lab.ts";
import type { LabHost } from "../../src/lab/namespaces.ts";
import { nodePlan, participants } from "../../src/lab/network.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { visit } from "../e2e/visit.ts";
import { answer, chooseNode, fill, next, submit } from "../e2e/wizard.ts";
import { eventually } from "./eventually.ts";
import { hostOf } from "./peering.ts";
import { snapshotOf } from "./router-snapshot.ts";

interface Combination {
  readonly called: string;
  readonly node: string;
  readonly family: "IPv4" | "IPv6" | "Both";
  readonly extendedNextHop: "Yes" | "No" | null;
  readonly asked: readonly ("IPv4" | "IPv6")[];
}

const combinations: readonly Combination[] = [
  { called: "IPv4", node: "syd01", family: "IPv4", extendedNextHop: null, asked: ["IPv4"] },
  { called: "IPv6", node: "per01", family: "IPv6", extendedNextHop: null, asked: ["IPv6"] },
  {
    called: "Both with extended next hop",
    node: "sin01",
    family: "Both",
    extendedNextHop: "Yes",
    asked: ["IPv6"],
  },
  {
    called: "Both without extended next hop",
    node: "de01",
    family: "Both",
    extendedNextHop: "No",
    asked: ["IPv4", "IPv6"],
  },
];

let lab: RunningLab;
let browser: Browser;

beforeAll(async () => {
  [lab, browser] = await Promise.all([startLab({ port: 0, onMail: () => {} }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await lab[Symbol.asyncDispose]();
});

describe.each(participants)("AS$asn, which speaks $speaker", ({ asn, password, name }) => {
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
    expect(visiting.complaints).toEqual([]);
  });

  test.each(combinations)("peers by $called on $node, and leaves no trace", async (combination) => {
    const { node } = combination;
    const plan = nodePlan(node);
    const router = hostOf(lab, node);
    const before = await settledSnapshot(router);

    await create(page, participant, combination);
    await joinNode(lab.url, participant.plan, host, node);
    await established(page, node);

    const families = combination.family === "Both" ? (["IPv4", "IPv6"] as const) : [combination.family];
    for (const family of families) {
      const route = await eventually(
        () => kernelRoute(host, family),
        (text) => text.includes(`dev dn42_${node}`),
      );
      expect(route).toContain(family === "IPv4" ? "172.20.222.0/24" : "fd42:4242:2227::/48");
      await eventually(
        () => answers(host, family === "IPv4" ? plan.ipv4 : plan.ipv6),
        (answered) => answered,
      );
    }

    await remove(page, node);
    await leaveNode(participant.plan, host, node);
    await eventually(
      () => snapshotOf(router),
      (now) => JSON.stringify(now) === JSON.stringify(before),
    );
  });

  test("edits a peering, and its tunnel stays up", async () => {
    const node = "ny01";
    const router = hostOf(lab, node);
    await create(page, participant, {
      called: "",
      node,
      family: "IPv6",
      extendedNextHop: null,
      asked: ["IPv6"],
    });
    await joinNode(lab.url, participant.plan, host, node);
    await established(page, node);
    const tunnel = async () => {
      const [handshake, session] = await Promise.all([
        router.run("wg", "show", `dn42_${asn}`, "latest-handshakes"),
        router.run("birdc", "show", "protocols", `dn42_${asn}_v6`),
      ]);
      return { handshake, session };
    };
    const before = await tunnel();
    expect(before.handshake).not.toMatch(/\t0$/m);

    await page.goto(`/manager?node=${node}&tab=edit`);
    await page.getByRole("link", { name: "Change your details" }).click();
    await answer(page, /Address family/, "Both");
    await answer(page, /Extended Nexthop/, "No");
    await next(page);
    await fill(page, { "IPv4 tunnel address": participant.plan.ipv4.address });
    await next(page);
    await submit(page);
    await page.getByText("Here is the config for your side:").waitFor();

    expect(await tunnel()).toEqual(before);
    expect(await router.run("birdc", "show", "protocols")).toContain(`dn42_${asn}_v4`);
    await joinNode(lab.url, participant.plan, host, node);
    await established(page, node);
    await remove(page, node);
    await leaveNode(participant.plan, host, node);
  });
});

/** What the router is like once its routes from the other nodes are all there. */
function settledSnapshot(router: LabHost) {
  return eventually(
    () => snapshotOf(router),
    ({ sessions }) => sessions.split("\n").filter((line) => line.includes("Established")).length === 5,
  );
}

async function create(
  page: Page,
  { plan, publicKey }: LabParticipant,
  { node, family, extendedNextHop, asked }: Combination,
): Promise<void> {
  await chooseNode(page, node);
  await answer(page, /Address family/, family);
  if (extendedNextHop) await answer(page, /Extended Nexthop/, extendedNextHop);
  await next(page);
  await fill(page, {
    "Public IP or hostname": plan.publicIp,
    Port: "51820",
    "Public key": publicKey,
    ...(asked.includes("IPv4") && { "IPv4 tunnel address": plan.ipv4.address }),
    ...(asked.includes("IPv6") && { "IPv6 tunnel address": "fe80::1:1" }),
  });
  await next(page);
  await submit(page);
  await page.getByText("Here is the config for your side:").waitFor();
}

/** Looks at the peering's page, as a person would, until it says that all is up. */
async function established(page: Page, node: string): Promise<void> {
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

/** Whether a packet crosses the tunnel, and one comes back: the node learns the way a moment after the session. */
async function answers(host: LabHost, address: string): Promise<boolean> {
  return host.run("ping", "-n", "-c", "1", "-W", "1", address).then(
    () => true,
    () => false,
  );
}

/** The participant's route to the provider's network. */
function kernelRoute(host: LabHost, family: "IPv4" | "IPv6"): Promise<string> {
  return family === "IPv4"
    ? host.run("ip", "route", "show", "172.20.222.0/24")
    : host.run("ip", "-6", "route", "show", "fd42:4242:2227::/48");
}
