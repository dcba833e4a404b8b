/**
 * The main job on real routers, from the form to the ping: a participant creates a peering in the web app, applies the config
 * for its side, uses the tunnel, edits and deletes the peering.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "playwright";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { parseLinks } from "../../src/agent/drivers/wireguard/addresses.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { bringUpTunnel, joinNode, leaveNode } from "../../src/lab/join.ts";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import {
  findNodePlan,
  type ParticipantPlan,
  participants as twoParticipants,
  provider,
} from "../../src/lab/network.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { choose, fill, nextStep } from "../e2e/wizard.ts";
import { randomKey } from "../integration/server/participant.ts";
import { oneOfCommit, shareOfCommit } from "../support/share-of-commit.ts";
import { eventually } from "./eventually.ts";
import { findHost } from "./peering.ts";
import { establishedSince, isSameSession } from "./router-state.ts";
import { findTraces, takeSnapshot } from "./router-snapshot.ts";
import {
  type Combination,
  create,
  deploy,
  fillDetails,
  logInToPage,
  readFiles,
  remove,
  type RouterFiles,
  type Visitor,
  waitForText,
  waitUntilUp,
} from "./web-visitor.ts";

const behindNat: ParticipantPlan = {
  asn: "4242420003",
  name: "as4242420003",
  speaker: "BIRD",
  password: "celia of the lab",
  publicIp: "192.0.2.103",
  isBehindNat: true,
  ipv4: { prefix: "172.20.3.0/27", address: "172.20.3.1" },
  ipv6: { prefix: "fd42:4242:3::/48", address: "fd42:4242:3::1" },
};

const ipv4: Combination = { family: "IPv4", extendedNextHop: null, tunnel: ["IPv4"] };
const ipv6: Combination = { family: "IPv6", extendedNextHop: null, tunnel: ["IPv6"] };
const both: Combination = { family: "Both", extendedNextHop: "Yes", tunnel: ["IPv6"] };
const bothSeparate: Combination = { family: "Both", extendedNextHop: "No", tunnel: ["IPv4", "IPv6"] };

/** Ordered so that each share contains both programs. */
const combinations = [
  ["BIRD", "IPv4", "syd01", ipv4],
  ["FRR", "IPv6", "per01", ipv6],
  ["BIRD", "Both with extended next hop", "sin01", both],
  ["FRR", "IPv4", "syd01", ipv4],
  ["BIRD", "Both without extended next hop", "de01", bothSeparate],
  ["FRR", "Both with extended next hop", "sin01", both],
  ["BIRD", "IPv6", "per01", ipv6],
  ["FRR", "Both without extended next hop", "de01", bothSeparate],
] as const;

let lab: RunningLab;
let browser: Browser;
const visitors = new Map<string, Promise<Visitor>>();

beforeAll(async () => {
  const participants = [...twoParticipants, behindNat];
  [lab, browser] = await Promise.all([
    startLab({ port: 0, participants, onMail: () => {} }),
    launchBrowser("shell"),
  ]);
});
afterEach(async () => {
  for (const { consoleErrors } of await Promise.all(visitors.values())) expect(consoleErrors).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await lab[Symbol.asyncDispose]();
});

/** Returns the participant with a page in which it is logged in. */
function openVisitor(speaker: "BIRD" | "FRR" | "NAT"): Promise<Visitor> {
  const plan = speaker === "NAT" ? behindNat : twoParticipants.find((one) => one.speaker === speaker);
  const opened = visitors.get(speaker) ?? logInToPage(browser, lab, plan ?? behindNat);
  visitors.set(speaker, opened);
  return opened;
}

test.each(shareOfCommit(combinations))(
  "a participant with %s peers over %s on %s and leaves no trace",
  async (speaker, _, node, combination) => {
    const visitor = await openVisitor(speaker);
    const { page, plan, host } = visitor;
    const router = findHost(lab, node);
    const before = await takeSettledSnapshot(router);

    await create(visitor, node, combination);
    await joinNode(lab.url, plan, host, node);
    await waitUntilUp(visitor, node);

    const families = combination.family === "Both" ? (["IPv4", "IPv6"] as const) : [combination.family];
    const addresses = findNodePlan(node);
    for (const family of families) {
      const [prefix, address] =
        family === "IPv4" ? ["172.20.222.0/24", addresses.ipv4] : ["fd42:4242:2227::/48", addresses.ipv6];
      await eventually(
        () => host.run("ip", family === "IPv4" ? "-4" : "-6", "route", "show", prefix),
        (text) => text.startsWith(prefix) && text.includes(`dev ${participantInterface(provider.asn, node)}`),
      );
      // The node learns the participant's route a moment after the session is up.
      await eventually(() => repliesToPing(host, address), Boolean);
    }

    await remove(page, node);
    await leaveNode(plan, host, node);
    await expect
      .poll(async () => findTraces(before, await takeSnapshot(router)), { timeout: 60_000 })
      .toEqual([]);
  },
);

/**
 * Whether the latest handshake, as `wg show` prints it, is the last one for now. If both sides have started one, there may
 * be another after five seconds (Rekey-Timeout).
 */
function isSettled(latestHandshakes: string): boolean {
  return Date.now() / 1000 - Number(latestHandshakes.split("\t")[1]) > 6;
}

test.each(oneOfCommit(["BIRD", "FRR"] as const))(
  "editing a peering keeps the tunnel of a participant with %s up",
  async (speaker) => {
    const node = "ny01";
    const visitor = await openVisitor(speaker);
    const { page, plan, host } = visitor;
    const router = findHost(lab, node);
    await create(visitor, node, ipv6);
    await joinNode(lab.url, plan, host, node);
    await waitUntilUp(visitor, node);
    const name = interfaceName(plan.asn);
    const tunnel = async () => ({
      handshake: await router.run("wg", "show", name, "latest-handshakes"),
      since: establishedSince(await router.run("birdc", "show", "protocols", `${name}_v6`)),
    });
    await eventually(async () => (await tunnel()).handshake, isSettled);
    const before = await tunnel();
    expect(before.handshake).not.toMatch(/\t0$/m);

    await page.goto(`/manager?node=${node}&tab=edit`);
    await page.getByRole("link", { name: "Change your details" }).click();
    await choose(page, /Address family/, "Both");
    await choose(page, /Extended Nexthop/, "No");
    await nextStep(page);
    await fill(page, { "IPv4 tunnel address": plan.ipv4.address });
    await deploy(page);

    const after = await tunnel();
    expect(after.handshake).toBe(before.handshake);
    expect(isSameSession(before.since, after.since)).toBe(true);
    expect(await router.run("birdc", "show", "protocols")).toContain(`${name}_v4`);
    await joinNode(lab.url, plan, host, node);
    await waitUntilUp(visitor, node);
    await remove(page, node);
    await leaveNode(plan, host, node);
  },
);

const optionsNode = "za01";
const { linkLocal } = findNodePlan(optionsNode);
const optionsTunnel = participantInterface(provider.asn, optionsNode);
const pingNode = (host: LabHost, ...options: readonly string[]) =>
  host.run("ping", "-c1", "-W5", ...options, `${linkLocal}%${optionsTunnel}`);

test("the MTU and a generated pre-shared key reach both sides, and another key is reported", async () => {
  const visitor = await openVisitor("BIRD");
  const { page, plan, host } = visitor;
  await fillDetails(visitor, optionsNode);
  await fill(page, { "Public IP or hostname": plan.publicIp, Port: "51820", MTU: "1412" });
  await page.getByRole("button", { name: "Generate" }).click();
  await deploy(page);
  await page.getByRole("button", { name: "Show the pre-shared key" }).click();
  await page.getByText(/^PresharedKey = [^<]+$/m).waitFor();
  const files = await readFiles(page);
  expect(files.wireguard).toMatch(/^MTU = 1412$/m);
  const otherKey = files.wireguard.replace(/(?<=^PresharedKey = ).*$/m, randomKey());

  await apply(host, { ...files, wireguard: otherKey });
  const down = await waitForText(
    page,
    optionsNode,
    /No handshake with your router yet|Handshakes with your router fail/,
  );
  expect(down).toContain("the same pre-shared key");
  expect(down).not.toContain("Established ✅");
  expect(await host.run("wg", "show", optionsTunnel, "latest-handshakes")).toMatch(/\t0$/m);

  await apply(host, files);
  await waitUntilUp(visitor, optionsNode);
  expect(await mtuOf(host, optionsTunnel)).toBe(1412);
  expect(await mtuOf(findHost(lab, optionsNode), interfaceName(plan.asn))).toBe(1412);
  // IPv6 and ICMP have headers of 48 bytes.
  await pingNode(host, "-Mdo", "-s1364");

  // The command of the lab applies the key too.
  await joinNode(lab.url, plan, host, optionsNode);
  await pingNode(host);
});

test("a participant behind NAT comes up without an endpoint", async () => {
  const visitor = await openVisitor("NAT");
  const { page, plan, host } = visitor;
  await fillDetails(visitor, optionsNode);
  await page.getByRole("checkbox", { name: "My router has no public address" }).check();
  await deploy(page);
  const files = await readFiles(page);
  expect(files.wireguard).toMatch(/^PersistentKeepalive = 25$/m);
  const before = await waitForText(page, optionsNode, /Your router has not connected yet/);
  expect(before).toContain("connects to the node");

  await apply(host, files);
  await waitUntilUp(visitor, optionsNode);
  const endpoints = await findHost(lab, optionsNode).run("wg", "show", interfaceName(plan.asn), "endpoints");
  expect(endpoints).toContain(`\t${plan.publicIp}:`);
  await pingNode(host);
});

/** Takes a snapshot of the router once it has all sessions with the other nodes. */
function takeSettledSnapshot(router: LabHost) {
  return eventually(
    () => takeSnapshot(router),
    ({ protocols }) =>
      Array.from(protocols.values()).filter(({ state }) => state === "BGP up Established").length === 5,
  );
}

async function apply(host: LabHost, { wireguard, bird }: RouterFiles): Promise<void> {
  await bringUpTunnel(host, optionsNode, wireguard);
  await writeFile(path.join(host.folder, "bird/peers", `${optionsNode}.conf`), bird);
  expect(await host.run("birdc", "configure")).toContain("Reconfigur");
}

const repliesToPing = (host: LabHost, address: string) =>
  host.run("ping", "-n", "-c", "1", "-W", "1", address).then(
    () => true,
    () => false,
  );

const mtuOf = async (host: LabHost, name: string) =>
  parseLinks(await host.run("ip", "-json", "address", "show")).get(name)?.mtu;
