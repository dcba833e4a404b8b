/**
 * The options of a peering on real routers, from the form to the ping: the participant's side has exactly the
 * files that the web app shows.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseLinks } from "../../src/agent/drivers/wireguard/addresses.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { bringUpTunnel, joinNode } from "../../src/lab/join.ts";
import { type LabParticipant, type RunningLab, startLab } from "../../src/lab/lab.ts";
import { findNodePlan, participants, provider } from "../../src/lab/network.ts";
import { randomKey } from "../integration/server/participant.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { type Visit, visit } from "../e2e/visit.ts";
import { choose, chooseNode, fill, nextStep, submit } from "../e2e/wizard.ts";
import { eventually } from "./eventually.ts";
import { findHost } from "./peering.ts";

const node = "syd01";
const { linkLocal } = findNodePlan(node);
const tunnel = participantInterface(provider.asn, node);

let lab: RunningLab;
let browser: Browser;

beforeAll(async () => {
  const plans = participants.map((plan, index) =>
    Object.assign({}, plan, { speaker: "BIRD", isBehindNat: index === 1 } as const),
  );
  [lab, browser] = await Promise.all([
    startLab({ port: 0, participants: plans, onMail: () => {} }),
    launchBrowser("shell"),
  ]);
});
afterAll(async () => {
  await browser.close();
  await lab[Symbol.asyncDispose]();
});

test("the MTU and a generated pre-shared key reach both sides, and another key is reported", async () => {
  const participant = participantAt(0);
  const { host } = participant;
  await using visiting = await logIn(participant);
  const { page } = visiting;
  await fillDetails(page, participant);
  await fill(page, { "Public IP or hostname": participant.plan.publicIp, Port: "51820", MTU: "1412" });
  await page.getByRole("button", { name: "Generate" }).click();
  await deploy(page);
  await page.getByRole("button", { name: "Show the pre-shared key" }).click();
  await page.getByText(/^PresharedKey = [^<]+$/m).waitFor();
  const files = await readFiles(page);
  expect(files.wireguard).toMatch(/^MTU = 1412$/m);
  const otherKey = files.wireguard.replace(/(?<=^PresharedKey = ).*$/m, randomKey());

  await apply(host, { ...files, wireguard: otherKey });
  // An initiation has 148 bytes, and is sent every 5 s.
  await eventually(
    () => host.run("wg", "show", tunnel, "transfer"),
    (text) => sum(text.trim().split("\t").slice(1)) >= 2 * 148,
  );
  const down = await waitForText(page, /No handshake with your router yet|Handshakes with your router fail/);
  expect(down).toContain("the same pre-shared key");
  expect(down).not.toContain("Established ✅");
  expect(await host.run("wg", "show", tunnel, "latest-handshakes")).toMatch(/\t0$/m);

  await apply(host, files);
  await waitForText(page, /Established ✅/);
  expect(await mtuOf(host, tunnel)).toBe(1412);
  expect(await mtuOf(findHost(lab, node), interfaceName(participant.plan.asn))).toBe(1412);
  // IPv6 and ICMP have headers of 48 bytes.
  await host.run("ping", "-c1", "-W5", "-Mdo", "-s1364", `${linkLocal}%${tunnel}`);
  expect(visiting.consoleErrors).toEqual([]);

  // The command of the lab applies the key too.
  await joinNode(lab.url, participant.plan, host, node);
  await host.run("ping", "-c1", "-W5", `${linkLocal}%${tunnel}`);
});

test("a participant behind NAT comes up without an endpoint", async () => {
  const participant = participantAt(1);
  const { host } = participant;
  await using visiting = await logIn(participant);
  const { page } = visiting;
  await fillDetails(page, participant);
  await page.getByRole("checkbox", { name: "My router has no public address" }).check();
  await deploy(page);
  const files = await readFiles(page);
  expect(files.wireguard).toMatch(/^PersistentKeepalive = 25$/m);
  const before = await waitForText(page, /Your router has not connected yet/);
  expect(before).toContain("connects to the node");

  await apply(host, files);
  await waitForText(page, /Established ✅/);
  const { asn, publicIp } = participant.plan;
  const endpoints = await findHost(lab, node).run("wg", "show", interfaceName(asn), "endpoints");
  expect(endpoints).toContain(`\t${publicIp}:`);
  await host.run("ping", "-c1", "-W5", `${linkLocal}%${tunnel}`);
  expect(visiting.consoleErrors).toEqual([]);
});

function participantAt(index: number): LabParticipant {
  const participant = lab.participants[index];
  if (!participant) throw new Error(`the lab has no participant ${index}`);
  return participant;
}

async function logIn({ plan: { asn, password } }: LabParticipant): Promise<Visit> {
  const visiting = await visit(browser, lab.url);
  const { page } = visiting;
  await page.goto("/login");
  await page.getByLabel("ASN").fill(asn);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByText("You don't appear to have any peerings yet.").waitFor();
  return visiting;
}

/** Fills in a new peering over IPv6 except its endpoint, and opens the options. */
async function fillDetails(page: Page, { plan, publicKey }: LabParticipant): Promise<void> {
  await chooseNode(page, node);
  await choose(page, /Address family/, "IPv6");
  await nextStep(page);
  await fill(page, { "Public key": publicKey, "IPv6 tunnel address": `fe80::${plan.asn.slice(-1)}` });
  await page.getByText("More options").click();
}

async function deploy(page: Page): Promise<void> {
  await nextStep(page);
  await submit(page);
  await page.getByText("Here is the config for your side:").waitFor();
}

interface RouterFiles {
  readonly wireguard: string;
  readonly bird: string;
}

async function readFiles(page: Page): Promise<RouterFiles> {
  const read = async (name: RegExp) => (await page.getByRole("region", { name }).textContent()) ?? "";
  return { wireguard: await read(/^WireGuard: /), bird: await read(/^BIRD 2$/) };
}

async function apply(host: LabHost, { wireguard, bird }: RouterFiles): Promise<void> {
  await bringUpTunnel(host, node, wireguard);
  await writeFile(path.join(host.folder, "bird/peers", `${node}.conf`), bird);
  expect(await host.run("birdc", "configure")).toContain("Reconfigur");
}

/** Reloads the peering's page until it contains a text, and returns the page's text. */
function waitForText(page: Page, text: RegExp): Promise<string> {
  return eventually(
    async () => {
      await page.goto(`/manager?node=${node}`);
      await page.getByRole("heading", { name: "BGP" }).first().waitFor();
      return page.getByRole("main").innerText();
    },
    (shown) => text.test(shown),
  );
}

const sum = (numbers: readonly string[]) => numbers.reduce((total, one) => total + Number(one), 0);

const mtuOf = async (host: LabHost, name: string) =>
  parseLinks(await host.run("ip", "-json", "address", "show")).get(name)?.mtu;
