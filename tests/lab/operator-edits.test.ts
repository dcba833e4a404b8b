/** Changes of participants while the operator edits BIRD's configuration. */
import { appendFile, readFile, readlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { NodeHealth } from "../../src/contract/agent.ts";
import type { RoutedPeering } from "../../src/agent/drivers/router.ts";
import { createBirdControl } from "../../src/agent/drivers/bird/control-socket.ts";
import { loadRoas } from "../../src/agent/drivers/roa/load-roas.ts";
import { dualStackOf, peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import { type Finding, publicFindings, readFindings } from "../../src/domain/findings/findings.ts";
import { type Internet, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { eventually } from "./eventually.ts";
import { busyFor, type LabNode, openLabNode, restartKilledBird, startNodeBird, trySet } from "./lab-node.ts";

const one = routed(peeringOf(1));
const two = routed(peeringOf(2));
const filesOf = (files: string[], isInvalid: boolean): Finding => ({
  code: "bird-files-not-loaded",
  facts: { files, isInvalid },
});
const notLoaded = (...files: string[]) => filesOf(files, false);
const cannotParse = (...files: string[]) => filesOf(files, true);

let internet: Internet;
let node: LabNode;

/** Files of BIRD as the provider wrote them. */
let originals: ReadonlyArray<readonly [file: string, text: string]>;

beforeAll(async () => {
  internet = await openInternet();
  const host = await internet.host("syd01", "198.51.100.254/24");
  await startNodeBird(host, []);
  const files = ["bird.conf", "peerdeck-policy.conf"].map((name) => join(host.folder, name));
  originals = await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const));
  node = await openLabNode(host);
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await internet[Symbol.asyncDispose]();
});
beforeEach(async () => {
  for (const [file, text] of originals) await writeFile(file, text);
  await birdc("configure");
  await node.set([one]);
});

const birdc = (...command: readonly string[]) =>
  node.host.run("birdc", "-s", join(node.host.folder, "bird.ctl"), ...command);
const edit = (text: string) => appendFile(node.birdConfig, `${text}\n`);
const setResult = (desired: readonly RoutedPeering[]) => trySet(node, desired);
const protocols = async () => (await birdc("show", "protocols")).match(/^(?:dn42|half)_\w+/gm) ?? [];
const tunnels = async () => (await node.host.run("wg", "show", "interfaces")).trim();
const changesWait = async () =>
  (await node.ask<NodeHealth>("health")).findings.filter(({ code }) => code === "bird-files-not-loaded");

const finished = "protocol static half_done { ipv4; }";

test("what needs BIRD waits until the operator has loaded the change, and everything else goes on", async () => {
  await edit(finished);
  const finding = notLoaded("bird.conf");
  expect(await changesWait()).toEqual([finding]);
  // Participants read this one, too, without the names of the files.
  const { findings } = await node.ask<NodeHealth>("health");
  expect(publicFindings(readFindings(findings))).toEqual([notLoaded()]);
  expect(await setResult([one, two])).toEqual(busyFor(finding));
  expect(await tunnels()).toBe("dn42_4242420001");
  expect(await protocols()).toEqual(["dn42_4242420001"]);

  const moved = routed(peeringOf(1, { listenPort: 20_077 }));
  expect(await node.set([moved])).toEqual(["(tunnels)", "(removed tunnels)"]);
  expect(await node.host.run("wg", "show", "dn42_4242420001", "listen-port")).toBe("20077\n");

  expect(await node.set([])).toEqual(["(tunnels)", "(postponed sessions)", "(removed tunnels)"]);
  expect(await tunnels()).toBe("");
  expect(await protocols()).toEqual(["dn42_4242420001"]);
  expect(await node.ask("findDrift")).toEqual([]);

  await birdc("configure");
  expect(await changesWait()).toEqual([]);
  await eventually(
    () => node.ask<readonly Finding[]>("findDrift"),
    (drift) => drift.some(({ code }) => code === "sessions-not-removed"),
  );
  await node.set([]);
  expect(await protocols()).toEqual(["half_done"]);
  expect(await node.ask("findDrift")).toEqual([]);
  expect(await setResult([two])).toBe("accepted");
});

/** BIRD's word for each session of participants. */
async function sessionStates(): Promise<Readonly<Record<string, string>>> {
  const shown = await birdc("show", "protocols");
  const lines = shown.matchAll(/^(dn42_\w+) +BGP +--- +(\w+)/gm);
  return Object.fromEntries(Array.from(lines, ([, name = "", state = ""]) => [name, state]));
}
const session = "dn42_4242420001";
const running = { dn42_4242420002: "start" };
const bothUp = { [session]: "start", ...running };
const disabled = { [session]: "down", ...running };
const driftCodes = async () => (await node.ask<readonly Finding[]>("findDrift")).map(({ code }) => code);
const updateRoas = (lines: readonly string[]) =>
  loadRoas(
    {
      folders: { roaDir: join(node.host.folder, "roa"), birdDir: node.birdDir },
      bird: createBirdControl(join(node.host.folder, "bird.ctl")),
      unloadedChanges: { find: async () => null },
      followDisabled: () => node.ask("followDisabled"),
    },
    new Map([["roa4.conf", lines]]),
    false,
  );

test("a session that the operator disabled stays disabled until the operator enables it", async () => {
  await node.set([one, two]);
  const log = join(node.host.folder, "bird.log");
  const loggedBefore = (await readFile(log, "utf8")).length;
  const found: Array<readonly [string, object]> = [];
  const note = async (when: string) => void found.push([when, await sessionStates()]);

  await birdc("disable", session);
  await updateRoas(["route 172.20.1.0/26 max 29 as 4242420001;"]);
  await note("new ROAs");
  await birdc("configure");
  await note("the operator's configure");
  const edited = routed(peeringOf(1, { peerIpv6: "fe80::77" }));
  await node.set([edited, two]);
  await note("an edit of the peering");
  await node.set([routed(dualStackOf(1)), two]);
  found.push(["an edit with other sessions", await sessionStates()]);
  await node.set([one, two]);
  await note("another edit");
  expect(await node.ask("restartBgp", "4242420001")).toEqual({
    ok: false,
    output: `${session}: not restarted, the provider has disabled it\n`,
  });
  expect(await node.observe()).toMatchObject([{ sessions: [{ isDisabled: true }] }, {}]);
  const { findings } = await node.ask<NodeHealth>("health");
  expect(findings).toContainEqual({
    code: "sessions-disabled",
    facts: { asns: ["4242420001"], peerings: 1 },
  });

  await node[Symbol.asyncDispose]();
  node = await openLabNode(node.host);
  await node.set([one, two]);
  await note("a start of the agent");
  await node.set([one]);
  await node.set([one, two]);
  await note("a deployment of another peering");
  expect(await driftCodes()).toEqual([]);
  await restartKilledBird(node.host);
  await note("a restart of BIRD");
  expect(found).toEqual(
    found.map(([when]) => [
      when,
      when === "an edit with other sessions"
        ? { [`${session}_v4`]: "down", [`${session}_v6`]: "down", ...running }
        : disabled,
    ]),
  );
  expect((await readFile(log, "utf8")).slice(loggedBefore)).not.toMatch(/Enabling protocol/);

  await birdc("enable", session);
  // Not while the agent restarts a handshake.
  await expect.poll(driftCodes).toEqual(["disabled-sessions-changed"]);
  await node.set([one, two]);
  expect([await sessionStates(), await driftCodes()]).toEqual([bothUp, []]);
  await birdc("configure");
  expect(await sessionStates()).toEqual(bothUp);
});

test("a session is disabled while a change of the operator is not loaded, and other changes go on", async () => {
  await node.set([one, two]);
  await edit(finished);
  await birdc("disable", session);
  expect(await driftCodes()).toEqual([]);
  expect(await node.set([routed(peeringOf(1, { listenPort: 20_077 })), two])).toContain("(tunnels)");
  expect(await node.set([one])).toContain("(postponed sessions)");
  expect(await sessionStates()).toEqual(disabled);
});

test("a syntax error of the operator is never loaded, and names no peering", async () => {
  await edit("protocol static half_ {");
  const finding = cannotParse("bird.conf");
  expect(await setResult([one, two])).toEqual(busyFor(finding));
  expect(await changesWait()).toEqual([finding]);
});

test("an agent that starts after the change finds it by its time", async () => {
  await edit(finished);
  await node[Symbol.asyncDispose]();
  node = await openLabNode(node.host);
  expect(await setResult([one])).toBe("accepted");
  expect(await setResult([one, two])).toEqual(busyFor(notLoaded("bird.conf")));
  await birdc("configure");
  expect(await setResult([one, two])).toBe("accepted");
});

test("an interrupted change is rolled back after the operator has loaded the edit", async () => {
  await node.set([one, two]);
  await node[Symbol.asyncDispose]();
  const other = (await readlink(join(node.birdDir, "confirmed"))) === "a" ? "b" : "a";
  await node.host.run("ln", "-sfn", other, join(node.birdDir, "current"));
  await edit(finished);
  node = await openLabNode(node.host);
  expect(await setResult([one, two])).toEqual(busyFor(notLoaded("bird.conf")));
  expect(await protocols()).toEqual(["dn42_4242420001", "dn42_4242420002"]);
  await birdc("configure");
  expect(await setResult([one, two])).toBe("accepted");
});

test("what the agent may load is loaded with the next change, unless BIRD cannot parse it", async () => {
  const policy = join(dirname(node.birdConfig), "peerdeck-policy.conf");
  await appendFile(policy, "# a newer version\n");
  expect(await setResult([one, two])).toBe("accepted");
  await node[Symbol.asyncDispose]();
  node = await openLabNode(node.host, {}, true);
  await edit(finished);
  expect(await setResult([one])).toBe("accepted");
  expect(await protocols()).toContain("half_done");
  await appendFile(policy, "nonsense;\n");
  expect(await setResult([one, two])).toEqual(busyFor(cannotParse("peerdeck-policy.conf")));
});
