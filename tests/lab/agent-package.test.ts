/** The packaged agent: its setup on a fresh machine, and its work with what its systemd unit grants and with less. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import type { ApplyOutcome, NodeHealth, ObservedPeering } from "../../src/contract/agent.ts";
import type { PingResult } from "../../src/contract/entities.ts";
import { openIdentity } from "../../src/identity/tls-identity.ts";
import { type Internet, type LabHost, openInternet } from "../../src/lab/namespaces.ts";
import { buildAgentPackage } from "../setup/agent-package.ts";
import type { AgentCallsRequest } from "./agent-calls.ts";
import { eventually } from "./eventually.ts";
import { providerAsn, startNodeBird } from "./lab-node.ts";
import { joinNode, makeKeys } from "./lab-participant.ts";

const nodeAddress = "198.51.100.254";

let unpacked = "";
/** As the unit lists them: `["CAP_NET_ADMIN", …]`. */
let capabilities: readonly string[];
let internet: Internet;
let host: LabHost;
let serverFingerprint = "";

beforeAll(async () => {
  unpacked = await mkdtemp(path.join(tmpdir(), "peerdeck-unit-"));
  const deb = await buildAgentPackage(path.join(unpacked, "built"));
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

/** Arguments of `setpriv` that leave a command these capabilities and no others. */
function confined(caps: readonly string[]): readonly string[] {
  const set = ["-all", ...caps.map((name) => name.toLowerCase().replace("cap_", "+"))].join(",");
  // Namespaces that need no root have one user, who is root in them: without this it would get all back.
  const unprivileged = ["--securebits", "+noroot,+noroot_locked", "--no-new-privs"];
  return [...unprivileged, "--bounding-set", set, "--inh-caps", set, "--ambient-caps", set];
}

/** Starts the agent as systemd would, and gives what calls it. */
async function start(caps: readonly string[], addresses: readonly string[] = []) {
  const config = `PEERDECK_AGENT_CONFIG=${await writeConfig(addresses)}`;
  const program = path.join(unpacked, "tree/usr/lib/peerdeck-agent");
  const command = [path.join(program, "node"), path.join(program, "peerdeck-agent.mjs")];
  const child = host.start("setpriv", ...confined(caps), "env", config, ...command);
  if (!child.stdout) throw new Error("no output");
  for await (const line of createInterface(child.stdout)) {
    const { msg, fingerprint } = JSON.parse(line) as { msg: string; fingerprint: string };
    if (msg === "the agent listens") return callerOf(fingerprint);
  }
  throw new Error("the agent ended before it listened");
}

function callerOf(fingerprint: string) {
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

const ping = (caps: readonly string[]) => host.run("setpriv", ...confined(caps), "ping", "-c1", "127.0.0.1");
const birdc = (...command: readonly string[]) => host.run("birdc", "-s", at("bird.ctl"), ...command);

test("what the unit grants is enough for a tunnel, a session, ROAs and a ping", async () => {
  const call = await start(capabilities, ["172.20.16.2", "fd42:d42::2"]);
  const participant = await internet.host("participant", "198.51.100.1/24");
  const keys = await makeKeys(participant);
  const peering = peeringOf(1, { publicKey: keys.publicKey });
  const { asn } = peering;
  const [facts, applied] = await call<[{ publicKey: string }, ApplyOutcome]>([
    ["facts", undefined],
    ["apply", { asn, generation: 1, desired: peering }],
  ]);
  expect(applied).toMatchObject({ outcome: "applied", reason: "" });
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
  const [answered, health] = await call<[PingResult, NodeHealth]>([
    ["ping", { asn, family: "ipv6" }],
    ["health", undefined],
  ]);
  expect(answered).toMatchObject({ result: "success" });
  expect(health.issues).toEqual([]);
  const own = await host.run("ip", "-o", "address", "show", "dev", "lo");
  for (const address of ["172.20.16.2/32", "fd42:d42::2/128"]) expect(own).toContain(` ${address} `);
  const routes = await eventually(
    () => birdc("show", "route", "all", "filtered", "protocol", "dn42_4242420001"),
    (text) => text.includes("172.20.2.0/26"),
  );
  // The one with a ROA was taken, so the agent's ROAs are in BIRD.
  expect(routes).not.toContain("172.20.1.0/26");
  // CAP_NET_ADMIN is bit 12 and CAP_NET_RAW bit 13.
  const status = await host.run("setpriv", ...confined(capabilities), "cat", "/proc/self/status");
  for (const set of ["CapPrm", "CapEff", "CapBnd", "CapAmb"])
    expect(status).toContain(`${set}:\t0000000000003000\n`);
});

test("without CAP_NET_ADMIN nothing is set up, and nothing is left", async () => {
  const call = await start(capabilities.filter((name) => name !== "CAP_NET_ADMIN"));
  const peering = peeringOf(1);
  const [outcome] = await call<[ApplyOutcome]>([
    ["apply", { asn: peering.asn, generation: 1, desired: peering }],
  ]);
  expect(outcome).toMatchObject({
    outcome: "refused",
    reason: "The router could not set up the tunnel. What ran before still runs.",
  });
  expect(await birdc("show", "protocols")).not.toContain("dn42_4242420001");
  expect(await host.run("ip", "-o", "link")).not.toContain("dn42_");
});

test("ping needs CAP_NET_RAW, and no more of what the unit grants", async () => {
  await expect(ping(capabilities.filter((name) => name !== "CAP_NET_RAW"))).rejects.toThrow(/not permitted/);
  expect(await ping(["CAP_NET_RAW"])).toContain("1 received");
});

const birdFolder = "/etc/bird";
const options =
  "--node de01 --asn 4242422227 --listen 198.51.100.253:4243 --ipv4 172.20.17.1 --ipv6 fd42:aaaa::1 " +
  "--prefix 172.20.17.0/27 --prefix fd42:aaaa::/48 --roa4 /roa4";

interface FreshMachine {
  readonly folder: string;
  readonly setup: (given: string) => Promise<string>;
}

/** A machine with Debian's BIRD and the package, and nothing done to either. */
async function freshMachine(): Promise<FreshMachine> {
  const machine = await internet.host("de01", "198.51.100.253/24");
  const etc = path.join(machine.folder, "etc-bird");
  await mkdir(etc);
  // Nothing of the machine that runs the tests is written to.
  await machine.run("mount", "-t", "tmpfs", "tmpfs", "/var/lib");
  await machine.run("mount", "--bind", etc, birdFolder);
  await machine.run("cp", "/usr/share/bird2/bird.conf", birdFolder);
  await machine.run("cp", path.join(unpacked, "tree/etc/bird/peerdeck-policy.conf"), birdFolder);
  await machine.run("mkdir", "-p", "/run/bird", `${birdFolder}/roa`, `${birdFolder}/peerdeck/a`);
  for (const link of ["current", "confirmed"]) {
    await machine.run("ln", "-s", "a", `${birdFolder}/peerdeck/${link}`);
  }
  await machine.run("bird", "-P", "/run/bird/bird.pid");
  const program = path.join(unpacked, "tree/usr/lib/peerdeck-agent");
  const command = `${program}/node ${program}/peerdeck-agent.mjs setup`;
  return {
    folder: machine.folder,
    setup: (given) =>
      machine.run(
        "sh",
        "-c",
        `PEERDECK_AGENT_CONFIG=${machine.folder}/agent.toml ${command} ${given} 2>&1 || true`,
      ),
  };
}

test("setup makes both files, has BIRD run its own, and says what is missing and what to paste", async () => {
  const { setup, folder } = await freshMachine();
  const config = path.join(folder, "agent.toml");
  expect(await setup("")).toMatch(/^There is no .*agent\.toml yet\./);
  const first = await setup(options);
  const fingerprint = /^fingerprint = "((?:[0-9A-F]{2}:){31}[0-9A-F]{2})"$/m.exec(first)?.[1];
  const profile = `
For the provider profile, with the place filled in:

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

Nobody may connect yet: put the fingerprint that the server prints when it starts into server_fingerprints in \
${config}, then: systemctl restart peerdeck-agent
`;
  const faults = `Still missing:
- dn42_roa4 and dn42_roa6 are empty, so every route of both families is refused. The agent \
fills them from the sources in [linux.roa] of agent.toml; journalctl -u peerdeck-agent says why it could not.
`;
  expect(first).toBe(`Wrote ${config}.\nWrote /etc/bird/bird.conf.\n${faults}${profile}`);
  expect(await setup("")).toBe(`${faults}${profile}`);
  expect(await setup(options.replace("de01", "fra01"))).toBe(
    `Kept ${config} as it is.\nKept /etc/bird/bird.conf as it is.\n${faults}${profile}`,
  );
});

test("setup leaves a bird.conf that somebody wrote alone, and names the lines that it lacks", async () => {
  const { setup, folder } = await freshMachine();
  const file = path.join(folder, "etc-bird/bird.conf");
  const written = "router id 198.51.100.253;\nprotocol device { }\n";
  await writeFile(file, written);
  const told = await setup(options);
  expect(told).toContain(`
Kept /etc/bird/bird.conf as it is.
Still missing:
- BIRD does not know peerdeck_import, peerdeck_export, peerdeck_peer. Put these lines at the end of \
/etc/bird/bird.conf, define what the policy names at its top, and run birdc configure:
    include "/etc/bird/peerdeck-policy.conf";
    include "/etc/bird/peerdeck/current/*.conf";
`);
  expect(await readFile(file, "utf8")).toBe(written);
});
