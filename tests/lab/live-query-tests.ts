/**
 * A running network as a participant sees it over HTTP: the actual state of its router, how to fix problems, and that nothing
 * of others reaches it.
 */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { metricsPort } from "../../src/lab/config-files.ts";
import { registerAccount } from "../../src/lab/accounts.ts";
import type { RunningLab } from "../../src/lab/lab.ts";
import { findNodePlan, links, nodes, provider } from "../../src/lab/network.ts";
import { waitForTask } from "../integration/server/participant.ts";
import { eventually } from "./eventually.ts";
import { findHost, createPeering, type LoggedInParticipant, logInToLab, readStatus } from "./peering.ts";
import { send } from "./packets.ts";
import { connectionState, findDisruptions } from "./router-state.ts";
import { longTest } from "../support/long-test.ts";
import { serverProgram } from "../support/built-programs.ts";
import { repository } from "../support/repository.ts";

let lab: RunningLab;
let bird: LoggedInParticipant;
let frr: LoggedInParticipant;

const peeringOf = ({ asn, plan }: LoggedInParticipant) => ({
  username: asn,
  node: plan.speaker === "BIRD" ? "syd01" : "de01",
});
const statusOf = (participant: LoggedInParticipant) => readStatus(participant, peeringOf(participant).node);
const host = (name: string) => findHost(lab, name);

/** Prefixes, with the reason of their rejection and the registry object that causes it. refused-routes.test.ts has all reasons. */
const unauthorisedRoutes = [
  ["172.20.100.0/24", "no ROA", "route/172.20.100.0_24"],
  // Of the other participant.
  ["172.20.2.0/26", "ROA invalid", "route/172.20.2.0_26"],
  ["::/0", "default route", ""],
  ["fd42:4242:2::/48", "ROA invalid", "route6/fd42:4242:2::_48"],
] as const;

/** Waits until the node reports no issues for the peering, including its latency. */
function waitUntilHealthy(participant: LoggedInParticipant) {
  return eventually(
    () => statusOf(participant),
    (status) => status?.bgp_status === "OK" && status.latency !== "" && status.wg_status.issues.length === 0,
  );
}

const ping = (participant: LoggedInParticipant, family: "ipv4" | "ipv6") =>
  participant.call(calls.pingCheck, { ...peeringOf(participant), addr_family: family });
const shownLinks = () => bird.call(calls.mapVPNStatus, undefined);
const checkFrr = () => frr.call(calls.troubleshootBGP, peeringOf(frr));
const configureFrr = (...commands: readonly string[]) =>
  frr.host.run("vtysh", ...["configure terminal", ...commands].flatMap((line) => ["-c", line]));

const showSession = () => host("syd01").run("birdc", "show", "protocols", "dn42_4242420001_v6");

/** Runs a command of the server's program with its settings. */
function runCommand(changes: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const settings = Object.entries({ ...lab.serverEnvironment, ...changes });
  const environment = settings.map(([name, value]) => `${name}=${value}`);
  const main = path.join(repository, serverProgram);
  return host(provider.host).run("env", ...environment, process.execPath, main, ...args);
}

/**
 * The last test ends the BIRD of a node.
 *
 * @param nextMail resolves with the text of the next mail
 */
export function testLiveQueries(readLab: () => RunningLab, nextMail: () => Promise<string>): void {
  beforeAll(async () => {
    lab = readLab();
    [bird, frr] = await Promise.all([logInToLab(lab, "4242420001"), logInToLab(lab, "4242420002")]);
    await Promise.all([
      createPeering(lab, bird, "syd01", { bgp_extnh: "No", peer_ipv4: bird.plan.ipv4.address }),
      createPeering(lab, frr, "de01"),
    ]);
    await Promise.all([waitUntilHealthy(bird), waitUntilHealthy(frr)]);
  });

  test("a participant reaches another node's address with ping, but none of its services", async () => {
    const { ipv4, ipv6 } = findNodePlan("per01");
    // BIRD listens on all addresses of a node.
    const probes = [
      { label: "IPv4", protocol: "tcp", from: bird.plan.ipv4.address, to: ipv4, port: 179 },
      { label: "IPv6", protocol: "tcp", from: bird.plan.ipv6.address, to: ipv6, port: 179 },
    ] as const;
    await Promise.all(probes.map(({ from, to }) => bird.host.run("ping", "-c1", "-W5", "-I", from, to)));
    // The server tells the nodes of each other when it has reached them.
    const reached = await eventually(
      () => send(bird.host, probes),
      (labels) => labels.length === 0,
    );
    expect(reached).toEqual([]);
  });

  test("the status has tunnel, traffic, latency and every session, and the node is OK", async () => {
    const status = await statusOf(bird);
    expect(status).toMatchObject({ node: "syd01", bgp_status: "OK", findings: [], deployment: null });
    expect(status?.wg_status).toMatchObject({ state: "Up", issues: [] });
    expect(status?.wg_status.handshake).toMatch(/^[0-9]+ (s|min) ago$/);
    expect(status?.wg_status.rx).toMatch(/^[1-9][0-9.]* (B|KiB)$/);
    expect(status?.wg_status.tx).toMatch(/^[1-9][0-9.]* (B|KiB)$/);
    expect(status?.latency).toMatch(/^[0-9.]+ ms$/);
    expect(status?.sessions.map(({ name, state }) => [name, state])).toEqual([
      ["dn42_4242420001_v4", "Established"],
      ["dn42_4242420001_v6", "Established"],
    ]);
    const { results } = await bird.call(calls.getNodeStatus, peeringOf(bird));
    expect(results).toMatchObject({ status: "OK", issues: [] });
    expect(results.load).toMatch(/^[0-9.]+, [0-9.]+, [0-9.]+$/);
    const readMetrics = `fetch("http://127.0.0.1:${metricsPort}/metrics").then((r) => r.text()).then(console.log)`;
    expect(await host("syd01").run(process.execPath, "-e", readMetrics)).toContain(
      'bgp_sessions_by_state{node="syd01",state="Established"} 2\n',
    );
  });

  test("the details contain the output of WireGuard and BIRD", async () => {
    const details = (await frr.call(calls.getPeerDetails, peeringOf(frr)))["de01"];
    expect(details?.wg_details.output).toMatch(/^interface: dn42_4242420002\n/);
    expect(details?.wg_details.output).toContain("latest handshake:");
    expect(details?.wg_details.output).toContain("private key: (hidden)");
    expect(details?.bgp_details.output).toMatch(/BGP state: +Established/);
  });

  test("lists the routes of both directions and their counts", async () => {
    const received = await bird.call(calls.getPeerReceivedRoutes, peeringOf(bird));
    expect(received.output).toContain("172.20.1.0/26");
    expect(received.output).toContain("fd42:4242:1::/48");
    // Includes the other participant's route, which FRR announces a moment after its session is up.
    const advertised = await eventually(
      () => bird.call(calls.getPeerAdvertisedRoutes, peeringOf(bird)),
      ({ output }) => output.includes("172.20.2.0/26"),
    );
    expect(advertised.output).toContain("172.20.222.0/24");
    const check = await bird.call(calls.troubleshootBGP, peeringOf(bird));
    expect(check).toEqual({
      address_families: "OK",
      bgp_extnh: "OK",
      received_routes: { ipv4: 1, ipv6: 1 },
      filtered_routes: { ipv4: 0, ipv6: 0 },
      rejected_routes: { ipv4: 0, ipv6: 0 },
    });
  });

  test("pings the tunnel's addresses, and measures the round trip to the endpoint from every node", async () => {
    const [four, six, none] = await Promise.all([ping(bird, "ipv4"), ping(bird, "ipv6"), ping(frr, "ipv4")]);
    expect([four.result, six.result, none.result]).toEqual(["success", "success", "failed"]);
    expect(four.output).toContain("172.20.1.1");
    expect(six.output).toContain("0% packet loss");
    const { endpoint, nodes: measured } = await eventually(
      () => bird.call(calls.getEndpointRoundTrips, { username: bird.asn }),
      (response) => response.nodes.every(({ latency }) => latency !== null),
    );
    expect(endpoint).toBe(bird.plan.publicIp);
    expect(measured.map(({ node }) => node).toSorted()).toEqual(nodes.map(({ name }) => name).toSorted());
    for (const { latency } of measured) expect(latency).toBeGreaterThanOrEqual(0);
  });

  test("restarts the sessions, and they come up again", async () => {
    const before = await showSession();
    const { output } = await bird.call(calls.restartBGPPeer, peeringOf(bird));
    expect(output).toContain("dn42_4242420001_v6: restarted");
    await waitUntilHealthy(bird);
    expect(await showSession()).not.toBe(before);
  });

  test.each([
    ["bgp_extnh", "extended next hop", "extended-next-hop-missing", "", "capability extended-nexthop"],
    ["address_families", "IPv4", "family-not-announced", "address-family ipv4 unicast", "activate"],
  ] as const)(
    "the check of %s and the status say that the participant's router lacks %s",
    async (row, name, code, family, option) => {
      // The node's address on the tunnel, by which FRR identifies its neighbour.
      const { local_ipv6: neighbour } = await frr.call(calls.getNodeConfig, peeringOf(frr));
      const line = `neighbor ${neighbour} ${option}`;
      const change = (command: string) =>
        configureFrr("router bgp 4242420002", ...(family ? [family] : []), command);
      await change(`no ${line}`);
      const found = await eventually(checkFrr, (check) => check[row].includes("does not announce"));
      expect(found[row]).toContain(`Your router does not announce ${name} in session dn42_4242420002.`);
      await eventually(
        () => statusOf(frr),
        (status) =>
          status?.bgp_status === "Issues" && status.findings.some((finding) => finding.code === code),
      );
      await change(line);
      await waitUntilHealthy(frr);
    },
  );

  test("routes that the participant may not announce reach no router, and it sees why", async () => {
    const file = path.join(bird.host.folder, "bird/peers/syd01.conf");
    const original = await readFile(file, "utf8");
    const load = async (text: string) => {
      await writeFile(file, text);
      expect(await bird.host.run("birdc", "configure")).toContain("Reconfigur");
    };
    const [ipv4, ipv6] = [".", ":"].map((sign) =>
      unauthorisedRoutes.flatMap(([prefix]) => (prefix.includes(sign) ? [`route ${prefix} reject;`] : [])),
    );
    await load(`${original.replaceAll(/export where.*;/g, "export all;")}
      protocol static { ipv4; ${ipv4?.join("")} }
      protocol static { ipv6; ${ipv6?.join("")} }`);
    const { routes, totals, cut, limits } = await eventually(
      () => bird.call(calls.getRefusedRoutes, peeringOf(bird)),
      (refused) => refused.routes.length === unauthorisedRoutes.length,
    );
    expect(routes.map(({ prefix, reason, object }) => `${prefix} ${reason} ${object}`).toSorted()).toEqual(
      unauthorisedRoutes.map((row) => row.join(" ")),
    );
    expect([totals, cut, limits]).toEqual([{ ipv4: 2, ipv6: 2 }, false, []]);
    const accepted = ["v4", "v6"].map((session) =>
      host("syd01").run("birdc", "show", "route", "protocol", `dn42_4242420001_${session}`),
    );
    expect((await Promise.all(accepted)).join("").match(/^[0-9a-f.:]+\/[0-9]+/gm)).toEqual([
      "172.20.1.0/26",
      "fd42:4242:1::/48",
    ]);
    await load(original);
  });

  longTest("no session is disturbed by a server with an empty database, and by the recovery", async () => {
    const { folder } = host(provider.host);
    const read = (node: string, name: string, session?: string) =>
      connectionState(host(node), name, session, "/run/bird/bird.ctl");
    const readConnections = () =>
      Promise.all([
        read("syd01", "dn42_4242420001", "dn42_4242420001_v4"),
        read("syd01", "dn42_4242420001", "dn42_4242420001_v6"),
        read("de01", "dn42_4242420002"),
      ]);
    // The test before has restarted sessions of the participant.
    const before = await eventually(readConnections, (states) => states.every(({ since }) => since !== null));
    const expectUndisturbed = async () => {
      const after = await readConnections();
      expect(before.flatMap((state, index) => findDisruptions(state, after[index] ?? state))).toEqual([]);
    };
    const empty = { DATA_DIR: path.join(folder, "empty") };
    await mkdir(empty.DATA_DIR, { mode: 0o700 });
    // The identity that the agents know, and the list of nodes.
    for (const name of ["identity", "nodes.json"])
      await cp(path.join(folder, "data", name), path.join(empty.DATA_DIR, name), { recursive: true });
    const readLog = () => readFile(path.join(folder, "server.log"), "utf8");
    const { length } = await readLog();
    await lab.restartServer(empty);
    await eventually(
      async () => (await readLog()).slice(length),
      (log) => log.match(/"msg":"1 peering on \S+ is not in the database\./g)?.length === 2,
    );
    await expectUndisturbed();
    const applied = await runCommand(empty, "recover", "--apply");
    expect(applied.match(/^ {2}Written to the database\.$/gm)).toHaveLength(2);
    expect((await readLog()).slice(length)).not.toContain("the removal of an unwanted peering");
    await lab.restartServer(empty);
    await expectUndisturbed();

    await registerAccount(lab.url, frr.plan, nextMail);
    const member = await logInToLab(lab, frr.asn);
    const { taskID } = await member.call(calls.deletePeer, peeringOf(frr));
    expect(await waitForTask(member, taskID)).toMatchObject({ status: "success" });
    expect(await host("de01").run("wg", "show", "interfaces")).not.toContain("dn42_");
    await lab.restartServer({});
  });

  test("the links between the nodes are up and have round trips, except one that goes down", async () => {
    const pairs = links.map((pair) => pair.toSorted().join(" ")).toSorted();
    const all = await eventually(shownLinks, (found) => found.every(({ status }) => status === "up"));
    expect(all.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(pairs);
    const summary = await eventually(
      () => bird.call(calls.getNetworkSummary, undefined),
      (found) => found.links.length === pairs.length,
    );
    expect(summary.links.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(pairs);
    for (const { latency } of summary.links) expect(latency).toBeGreaterThanOrEqual(0);
    await host("per01").run("ip", "link", "delete", "lab-za01");
    const broken = await eventually(shownLinks, (found) => found.some(({ status }) => status !== "up"));
    expect(broken.filter(({ status }) => status !== "up")).toEqual([
      { from: "per01", to: "za01", status: "down" },
    ]);
  });

  test("a node whose BIRD has ended has issues, and its sessions are not up", async () => {
    await host("syd01").run("birdc", "down");
    await eventually(
      () => bird.call(calls.getNodeStatus, peeringOf(bird)),
      ({ results }) => results.status === "Issues" && results.issues.some((issue) => issue.includes("BIRD")),
    );
    // A status may come from a read that began before BIRD ended, and is shared for a second.
    await expect.poll(async () => (await statusOf(bird))?.bgp_status, { timeout: 60_000 }).not.toBe("OK");
  });
}
