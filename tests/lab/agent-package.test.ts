/**
 * The packaged agent: its setup on a fresh machine, and its work with the capabilities of its systemd unit
 * and with fewer.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { peeringOf, sender } from "../../src/agent/fixtures/peerings.ts";
import type { ApplyOutcome, NodeHealth, ObservedPeering } from "../../src/contract/agent.ts";
import type { PingResult } from "../../src/contract/diagnostics.ts";
import { openIdentity } from "../../src/mtls/tls-identity.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/hosts/namespaces.ts";
import { buildAgentPackage } from "../support/agent-package.ts";
import { oneOfCommit } from "../support/share-of-commit.ts";
import type { AgentCallsRequest } from "./agent-calls.ts";
import { eventually } from "./eventually.ts";
import { providerAsn, startNodeBird } from "./lab-node.ts";
import { makeKeys } from "../../src/lab/hosts/wireguard.ts";
import { joinNode } from "./lab-participant.ts";

const nodeAddress = "198.51.100.254";

let unpacked = "";
/** As the unit lists them: `["CAP_NET_ADMIN", …]`. */
let capabilities: readonly string[];
let internet: Internet;
let host: LabHost;
let serverFingerprint = "";

beforeAll(async () => {
  unpacked = await mkdtemp(path.join(tmpdir(), "peerdeck-unit-"));
  // Compression takes longer than everything else in this file.
  const compressed = oneOfCommit([false, false, true]).includes(true);
  const deb = await buildAgentPackage(path.join(unpacked, "built"), { compressed });
  await promisify(execFile)("dpkg-deb", ["-x", deb, path.join(unpacked, "tree")]);
  const unit = path.join(unpacked, "tree/usr/lib/systemd/system/peerdeck-agent.service");
  const text = await readFile(unit, "utf8");
  const listed = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(text)?.[1]?.split(" ") ?? [];
  capabilities = listed("AmbientCapabilities");
  expect(listed("CapabilityBoundingSet")).toEqual(capabilities);
  expect(text).toMatch(/^NoNewPrivileges=yes$/m);
});
afterAll(() => rm(unpacked, { recursive: true }));

beforeEach(async () => {
  internet = await openInternet();
  host = await internet.host("syd01", `${nodeAddress}/24`);
  await startNodeBird(host, []);
  serverFingerprint = (await openIdentity(at("server"), "server")).fingerprint;
});
afterEach(() => internet[Symbol.asyncDispose]());

const at = (name: string) => path.join(host.folder, name);

async function writeConfig(addresses: readonly string[]): Promise<string> {
  await writeFile(at("source4"), "route 172.20.1.0/26 max 29 as 4242420001;\n");
  await writeFile(at("source6"), "route fd42:4242:1::/48 max 64 as 4242420001;\n");
  await mkdir(at("state"), { mode: 0o700 });
  await writeFile(
    at("agent.toml"),
    `node = "syd01"
asn = "${providerAsn}"
listen = "127.0.0.1:4243"
state_dir = "${at("state")}"
server_fingerprints = ["${serverFingerprint}"]
server_addresses = ["127.0.0.1"]
router = "linux"
[linux]
addresses = ${JSON.stringify(addresses)}
bird_dir = "${at("peerdeck")}"
bird_socket = "${at("bird.ctl")}"
[linux.roa]
ipv4 = "${at("source4")}"
ipv6 = "${at("source6")}"
dir = "${at("roa")}"
[rules]
allow_documentation = true
`,
  );
  return at("agent.toml");
}

/** Returns arguments of `setpriv` that restrict a command to these capabilities. */
function setprivArguments(caps: readonly string[]): readonly string[] {
  const set = ["-all", ...caps.map((name) => name.toLowerCase().replace("cap_", "+"))].join(",");
  // The only user of these namespaces is root in them; without these options, that user would get all
  // capabilities back.
  const unprivileged = ["--securebits", "+noroot,+noroot_locked", "--no-new-privs"];
  return [...unprivileged, "--bounding-set", set, "--inh-caps", set, "--ambient-caps", set];
}

/** Starts the agent like systemd, and returns a function that calls it. */
async function start(caps: readonly string[], addresses: readonly string[] = []) {
  const config = `PEERDECK_AGENT_CONFIG=${await writeConfig(addresses)}`;
  const program = path.join(unpacked, "tree/usr/lib/peerdeck-agent");
  const command = [path.join(program, "node"), path.join(program, "peerdeck-agent.mjs")];
  const child = host.start("setpriv", ...setprivArguments(caps), "env", config, ...command);
  if (!child.stdout) throw new Error("no output");
  for await (const line of createInterface(child.stdout)) {
    const { msg, fingerprint } = JSON.parse(line) as { msg: string; fingerprint: string };
    if (msg === "agent listening") return createAgentCaller(fingerprint);
  }
  throw new Error("the agent ended before it listened");
}

function createAgentCaller(fingerprint: string) {
  return async <T extends readonly unknown[]>(calls: AgentCallsRequest["calls"]): Promise<T> => {
    const request: AgentCallsRequest = {
      identity: at("server"),
      fingerprint,
      url: "https://127.0.0.1:4243",
      calls,
    };
    const script = path.join(import.meta.dirname, "agent-calls.ts");
    return JSON.parse(await host.run(process.execPath, script, JSON.stringify(request))) as T;
  };
}

const ping = (caps: readonly string[]) =>
  host.run("setpriv", ...setprivArguments(caps), "ping", "-c1", "127.0.0.1");
const birdc = (...command: readonly string[]) => host.run("birdc", "-s", at("bird.ctl"), ...command);

test("the unit's capabilities suffice for a tunnel, a session, ROAs and a ping", async () => {
  const call = await start(capabilities, ["172.20.16.2", "fd42:d42::2"]);
  const participant = await internet.host("participant", "198.51.100.1/24");
  const keys = await makeKeys(participant);
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  const { asn } = peering;
  const [facts, applied] = await call<[{ publicKey: string }, ApplyOutcome]>([
    ["facts", undefined],
    ["apply", { ...sender, asn, generation: 1, desired: peering }],
  ]);
  expect(applied).toMatchObject({ outcome: "applied", reason: null });
  await joinNode(participant, {
    keys,
    peering,
    nodeKey: facts.publicKey,
    nodeAddress,
    routes: ["172.20.1.0/26", "172.20.2.0/26"],
  });
  await eventually(
    () => call<[readonly ObservedPeering[]]>([["observe", undefined]]),
    ([observed]) => observed[0]?.bgpStatus === "OK",
  );
  const [pingResult, health] = await call<[PingResult, NodeHealth]>([
    ["ping", { asn, family: "ipv6" }],
    ["health", undefined],
  ]);
  expect(pingResult).toMatchObject({ result: "success" });
  expect(health.findings).toEqual([]);
  const own = await host.run("ip", "-o", "address", "show", "dev", "lo");
  for (const address of ["172.20.16.2/32", "fd42:d42::2/128"]) expect(own).toContain(` ${address} `);
  const routes = await eventually(
    () => birdc("show", "route", "all", "filtered", "protocol", "dn42_4242420001"),
    (text) => text.includes("172.20.2.0/26"),
  );
  // The route with a ROA was accepted, so BIRD has the agent's ROAs.
  expect(routes).not.toContain("172.20.1.0/26");
  // CAP_NET_ADMIN is bit 12 and CAP_NET_RAW bit 13.
  const status = await host.run("setpriv", ...setprivArguments(capabilities), "cat", "/proc/self/status");
  for (const set of ["CapPrm", "CapEff", "CapBnd", "CapAmb"])
    expect(status).toContain(`${set}:\t0000000000003000\n`);
});

test("without CAP_NET_ADMIN nothing is set up and nothing is left behind", async () => {
  const call = await start(capabilities.filter((name) => name !== "CAP_NET_ADMIN"));
  const peering = peeringOf(1);
  const [outcome] = await call<[ApplyOutcome]>([
    ["apply", { ...sender, asn: peering.asn, generation: 1, desired: peering }],
  ]);
  expect(outcome).toMatchObject({
    outcome: "refused",
    reason: { code: "packet-filter-not-set-up", facts: {} },
  });
  expect(await birdc("show", "protocols")).not.toContain("dn42_4242420001");
  expect(await host.run("ip", "-o", "link")).not.toContain("dn42_");
});

test("ping needs CAP_NET_RAW and no other capability of the unit", async () => {
  await expect(ping(capabilities.filter((name) => name !== "CAP_NET_RAW"))).rejects.toThrow(/not permitted/);
  expect(await ping(["CAP_NET_RAW"])).toContain("1 received");
});

const birdFolder = "/etc/bird";
const options =
  "--node de01 --asn 4242422227 --listen 198.51.100.253:4243 --ipv4 172.20.17.1 --ipv6 fd42:aaaa::1 " +
  "--prefix 172.20.17.0/27 --prefix fd42:aaaa::/48 --roa4 /roa4 --server-address 198.51.100.10";

interface FreshMachine {
  readonly folder: string;
  readonly machine: LabHost;
  readonly setup: (given: string) => Promise<string>;
}

/** A machine with Debian's BIRD and the installed package, both unmodified. */
async function freshMachine(): Promise<FreshMachine> {
  const machine = await internet.host("de01", "198.51.100.253/24");
  const etc = path.join(machine.folder, "etc-bird");
  await mkdir(etc);
  // Nothing on the machine that runs the tests is modified.
  await machine.run("mount", "-t", "tmpfs", "tmpfs", "/var/lib");
  await machine.run("mount", "--bind", etc, birdFolder);
  await machine.run("sh", "-c", `cp /usr/share/bird[23]/bird.conf ${birdFolder}`);
  await machine.run("cp", path.join(unpacked, "tree/etc/bird/peerdeck-policy.conf"), birdFolder);
  await machine.run("mkdir", "-p", "/run/bird", `${birdFolder}/roa`, `${birdFolder}/peerdeck/a`);
  for (const link of ["current", "confirmed"]) {
    await machine.run("ln", "-s", "a", `${birdFolder}/peerdeck/${link}`);
  }
  await machine.run("bird", "-P", "/run/bird/bird.pid");
  // BIRD 3.1.7 and 3.4.0 crash if `configure` replaces the kernel protocols in the first second.
  const version = await machine.run("sh", "-c", "bird --version 2>&1");
  if (version.includes("version 3")) await pause(2000);
  const program = path.join(unpacked, "tree/usr/lib/peerdeck-agent");
  const command = `${program}/node ${program}/peerdeck-agent.mjs setup`;
  return {
    folder: machine.folder,
    machine,
    setup: (given) =>
      machine.run(
        "sh",
        "-c",
        `PEERDECK_AGENT_CONFIG=${machine.folder}/agent.toml ${command} ${given} 2>&1 || true`,
      ),
  };
}

test("setup writes both files, makes BIRD load its file, and prints problems and the profile's lines", async () => {
  const { setup, folder } = await freshMachine();
  const config = path.join(folder, "agent.toml");
  expect(await setup("")).toMatch(/^.*agent\.toml does not exist yet\./);
  const first = await setup(options);
  const fingerprint = /^fingerprint = "((?:[0-9A-F]{2}:){31}[0-9A-F]{2})"$/m.exec(first)?.[1];
  const version = /^BIRD [0-9.]+ was .*tried with this agent\. Tried versions: 2\.0\.12, .*\.$/m.exec(
    first,
  )?.[0];
  const profile = `${version}

Add these lines to the provider profile and fill in the place:

[[nodes]]
name = "de01"
place = "City, Country"
lat = 0.0
lon = 0.0
public_ip = "198.51.100.253"
tunnel_ipv4 = "172.20.17.1"

[nodes.agent]
url = "https://198.51.100.253:4243"
fingerprint = "${fingerprint}"

No server can connect yet: add the fingerprint that the server prints at startup to server_fingerprints in \
${config}, then: systemctl restart peerdeck-agent
`;
  const problems = `Problems found:
- dn42_roa4 and dn42_roa6 are empty, so every route of both families is rejected. The agent \
loads them from the sources in [linux.roa] of agent.toml; journalctl -u peerdeck-agent shows errors.
`;
  expect(first).toBe(`Wrote ${config}.\nWrote /etc/bird/bird.conf.\n${problems}${profile}`);
  expect(await setup("")).toBe(`${problems}${profile}`);
  expect(await setup(options.replace("de01", "fra01"))).toBe(
    `Kept ${config} unchanged.\nKept /etc/bird/bird.conf unchanged.\n${problems}${profile}`,
  );
});

test("setup keeps a bird.conf that the operator wrote, and names the missing lines", async () => {
  const { setup, folder, machine } = await freshMachine();
  const file = path.join(folder, "etc-bird/bird.conf");
  const written = "router id 198.51.100.253;\nprotocol device { }\n";
  await writeFile(file, written);
  const output = await setup(options);
  expect(output).toContain(`
Kept /etc/bird/bird.conf unchanged.
Problems found:
- BIRD does not know peerdeck_import, peerdeck_export, peerdeck_peer. Add these lines to the end of \
/etc/bird/bird.conf, define the names listed at the top of the policy, and run birdc configure:
${policyLines}${roaLines}
`);
  expect(await readFile(file, "utf8")).toBe(written);

  const load = async (lines: string) => {
    await writeFile(file, `${written}${definitions}${lines}\n`);
    await machine.run("birdc", "configure");
  };
  await load(policyLines);
  const empty = "- dn42_roa4 and dn42_roa6 are empty, so every route of both families is rejected.";
  expect(await setup("")).toContain(`Problems found:
${empty} bird.conf does not include the ROAs that the agent keeps in \
/etc/bird/roa. Add these lines to its end, and run birdc configure:${roaLines}
`);
  await load(policyLines + roaLines);
  expect(await setup("")).toContain(`Problems found:
${empty} The agent loads them from the sources in [linux.roa]`);
});

/** The names that are listed at the top of the policy. */
const definitions = `
define OWN_AS = 4242422227;
define OWN_NETS_V4 = [ 172.20.17.0/27+ ];
define OWN_NETS_V6 = [ fd42:aaaa::/48+ ];
roa4 table dn42_roa4;
roa6 table dn42_roa6;
`;
const policyLines = `    include "/etc/bird/peerdeck-policy.conf";
    include "/etc/bird/peerdeck/current/*.conf";`;
const roaLines = `
    protocol static peerdeck_roa4 {
        roa4 { table dn42_roa4; };
        include "/etc/bird/roa/roa4*.conf";
    }
    protocol static peerdeck_roa6 {
        roa6 { table dn42_roa6; };
        include "/etc/bird/roa/roa6*.conf";
    }`;

test("setup names the operator's chains that drop by default, and says that the agent's port is open", async () => {
  const { setup, machine } = await freshMachine();
  await machine.run("nft", "add table ip filter");
  await machine.run(
    "nft",
    "add chain ip filter FORWARD { type filter hook forward priority 0; policy drop; }",
  );
  const output = await setup(options.replace(/--server-address \S+/, ""));
  expect(output).toContain(
    "\nYour chain ip filter FORWARD drops forwarded packets by default. Check that it",
  );
  expect(output).toContain(
    "\nEvery address can connect to the agent's port: add the address of the server to",
  );
});
