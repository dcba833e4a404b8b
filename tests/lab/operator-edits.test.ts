/** Changes of participants while the operator edits BIRD's configuration. */
import { appendFile, readFile, readlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { NodeHealth } from "../../src/contract/agent.ts";
import type { RoutedPeering } from "../../src/agent/drivers/router.ts";
import { peeringOf, routed } from "../../src/agent/fixtures/peerings.ts";
import { type Finding, publicFindings, readFindings } from "../../src/domain/findings/findings.ts";
import { type Internet, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { eventually } from "./eventually.ts";
import { busyFor, type LabNode, openLabNode, startNodeBird, trySet } from "./lab-node.ts";

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
