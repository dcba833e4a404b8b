/**
 * The main job on real routers, up to the ping: a participant creates a peering, applies the config for its side, uses the
 * tunnel, edits and deletes the peering.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseLinks } from "../../src/agent/drivers/wireguard/addresses.ts";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { runServerCommand } from "../../src/lab/add-node.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { bringUpTunnel, joinNode, leaveNode } from "../../src/lab/join.ts";
import type { RunningLab } from "../../src/lab/lab.ts";
import { findNodePlan, type ParticipantPlan, participants, provider } from "../../src/lab/network.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { fill } from "../e2e/wizard.ts";
import { deployPeering, randomKey } from "../integration/server/participant.ts";
import { oneOfCommit, shareOfCommit } from "../support/share-of-commit.ts";
import { eventually } from "./eventually.ts";
import {
  createPeering,
  findHost,
  type LoggedInParticipant,
  logInToLab,
  readStatus,
  removePeering,
  waitUntilUp,
} from "./peering.ts";
import { establishedSince, isSameSession } from "./router-state.ts";
import { findTraces, takeSnapshot } from "./router-snapshot.ts";
import {
  deploy,
  fillDetails,
  logInToPage,
  readFiles,
  remove,
  type RouterFiles,
  waitForText,
} from "./web-visitor.ts";

export const behindNat: ParticipantPlan = {
  asn: "4242420003",
  name: "as4242420003",
  speaker: "BIRD",
  password: "celia of the lab",
  publicIp: "192.0.2.103",
  isBehindNat: true,
  ipv4: { prefix: "172.20.3.0/27", address: "172.20.3.1" },
  ipv6: { prefix: "fd42:4242:3::/48", address: "fd42:4242:3::1" },
};

type Family = PeerUpdate["address_family"];

/** Ordered so that each share contains both programs. */
const combinations = [
  ["BIRD", "IPv4", "No", "syd01"],
  ["FRR", "IPv6", "No", "per01"],
  ["BIRD", "Both", "Yes", "sin01"],
  ["FRR", "IPv4", "No", "syd01"],
  ["BIRD", "Both", "No", "de01"],
  ["FRR", "Both", "Yes", "sin01"],
  ["BIRD", "IPv6", "No", "per01"],
  ["FRR", "Both", "No", "de01"],
] as const;

/** What a form contains for these families. */
function formOf(
  { plan, publicKey }: LoggedInParticipant,
  address_family: Family,
  bgp_extnh: "Yes" | "No",
): Partial<PeerUpdate> {
  const hasIpv4 = address_family !== "IPv6" && bgp_extnh === "No";
  return {
    address_family,
    bgp_extnh,
    remote_ip: plan.publicIp,
    public_key: publicKey,
    peer_ipv4: hasIpv4 ? plan.ipv4.address : "",
    peer_ipv6: address_family === "IPv4" ? "" : "fe80::1:1",
  };
}

/** Each test removes its peerings. */
export function testPeerings(readLab: () => RunningLab): void {
  let lab: RunningLab;
  let browser: Browser;
  beforeAll(async () => {
    lab = readLab();
    browser = await launchBrowser("shell");
  });
  afterAll(() => browser.close());

  const logInTo = (speaker: "BIRD" | "FRR") =>
    logInToLab(lab, participants.find((one) => one.speaker === speaker)?.asn ?? "");

  test.each(shareOfCommit(combinations))(
    "a participant with %s peers over %s, extended next hop %s, on %s and leaves no trace",
    async (speaker, family, extendedNextHop, node) => {
      const participant = await logInTo(speaker);
      const { host } = participant;
      const router = findHost(lab, node);
      const before = await takeSettledSnapshot(router);

      await createPeering(lab, participant, node, formOf(participant, family, extendedNextHop));
      await waitUntilUp(participant, node);

      const families = family === "Both" ? (["IPv4", "IPv6"] as const) : [family];
      const addresses = findNodePlan(node);
      for (const each of families) {
        const [prefix, address] =
          each === "IPv4" ? ["172.20.222.0/24", addresses.ipv4] : ["fd42:4242:2227::/48", addresses.ipv6];
        await eventually(
          () => host.run("ip", each === "IPv4" ? "-4" : "-6", "route", "show", prefix),
          (text) =>
            text.startsWith(prefix) && text.includes(`dev ${participantInterface(provider.asn, node)}`),
        );
        // The node learns the participant's route a moment after the session is up.
        await eventually(() => repliesToPing(host, address), Boolean);
      }

      await removePeering(participant, node);
      await expect
        .poll(async () => findTraces(before, await takeSnapshot(router)), { timeout: 60_000 })
        .toEqual([]);
    },
  );

  test.each(oneOfCommit(["BIRD", "FRR"] as const))(
    "editing a peering keeps the tunnel of a participant with %s up",
    async (speaker) => {
      const node = "ny01";
      const participant = await logInTo(speaker);
      const { plan, host } = participant;
      const router = findHost(lab, node);
      await createPeering(lab, participant, node, formOf(participant, "IPv6", "No"));
      await waitUntilUp(participant, node);
      const name = interfaceName(plan.asn);
      const tunnel = async () => ({
        handshake: await router.run("wg", "show", name, "latest-handshakes"),
        since: establishedSince(await router.run("birdc", "show", "protocols", `${name}_v6`)),
      });
      await eventually(async () => (await tunnel()).handshake, isSettled);
      const before = await tunnel();
      expect(before.handshake).not.toMatch(/\t0$/m);

      await deployPeering(participant, node, formOf(participant, "Both", "No"));

      const after = await tunnel();
      expect(after.handshake).toBe(before.handshake);
      expect(isSameSession(before.since, after.since)).toBe(true);
      expect(await router.run("birdc", "show", "protocols")).toContain(`${name}_v4`);
      await joinNode(lab.url, plan, host, node);
      await waitUntilUp(participant, node);
      await removePeering(participant, node);
    },
  );

  test("from the form to the ping: MTU and a generated pre-shared key reach both sides, and another key is reported", async () => {
    const [bird] = participants;
    if (!bird) throw new Error("the lab has no participant");
    const visitor = await logInToPage(browser, lab, bird);
    const { page, plan, host, consoleErrors } = visitor;
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
      /No handshake with your router|Handshakes with your router fail/,
    );
    await page.getByRole("button", { name: "How to fix it" }).first().click();
    await page.getByText(/the same pre-shared key/).waitFor();
    expect(down).not.toContain("Established ✅");
    expect(await host.run("wg", "show", optionsTunnel, "latest-handshakes")).toMatch(/\t0$/m);

    await apply(host, files);
    await waitForText(page, optionsNode, /Up ✅[^]*Established ✅/);
    expect(await mtuOf(host, optionsTunnel)).toBe(1412);
    expect(await mtuOf(findHost(lab, optionsNode), interfaceName(plan.asn))).toBe(1412);
    // IPv6 and ICMP have headers of 48 bytes.
    await pingNode(lab, host, "-Mdo", "-s1364");

    // The command of the lab applies the key too.
    await joinNode(lab.url, plan, host, optionsNode);
    await pingNode(lab, host);
    await remove(page, optionsNode);
    await leaveNode(plan, host, optionsNode);
    expect(consoleErrors).toEqual([]);
  });

  test("a participant behind NAT comes up without an endpoint", async () => {
    const participant = await logInToLab(lab, behindNat.asn);
    const { plan, host } = participant;
    await deployPeering(participant, optionsNode, {
      ...formOf(participant, "IPv6", "No"),
      remote_ip: "",
      remote_port: "",
      no_endpoint: "Yes",
    });
    await eventually(
      () => readStatus(participant, optionsNode),
      (status) => status?.findings.some(({ code }) => code === "router-awaited") === true,
    );
    await joinNode(lab.url, plan, host, optionsNode);
    await waitUntilUp(participant, optionsNode);
    const endpoints = await findHost(lab, optionsNode).run(
      "wg",
      "show",
      interfaceName(plan.asn),
      "endpoints",
    );
    expect(endpoints).toContain(`\t${plan.publicIp}:`);
    await pingNode(lab, host);
    await removePeering(participant, optionsNode);
  });
}

/**
 * Whether the latest handshake, as `wg show` prints it, is the last one for now. If both sides have started one, there may
 * be another after five seconds (Rekey-Timeout).
 */
function isSettled(latestHandshakes: string): boolean {
  return Date.now() / 1000 - Number(latestHandshakes.split("\t")[1]) > 6;
}

const optionsNode = "za01";
const optionsTunnel = participantInterface(provider.asn, optionsNode);

/** Pings the link-local address of the node through the tunnel. */
async function pingNode({ server }: RunningLab, host: LabHost, ...options: readonly string[]): Promise<void> {
  const shown = await runServerCommand(server, "nodes", "show", optionsNode, "--json");
  const { linkLocal } = JSON.parse(shown) as { readonly linkLocal: string };
  await host.run("ping", "-c1", "-W5", ...options, `${linkLocal}%${optionsTunnel}`);
}

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
