/**
 * The guide docs/nodes.md, followed on a router that is in use and on an empty machine: nothing of the owner changes, and
 * participants notice no step.
 */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import { relay } from "../../src/lab/hosts/relay.ts";
import { openIdentity } from "../../src/mtls/tls-identity.ts";
import { type JoinServer, startJoinServer } from "../integration/agent/join-server.ts";
import { buildCommand } from "../support/debian-packages.ts";
import { isEveryCase, oneOfCommit } from "../support/share-of-commit.ts";
import {
  agentAddress,
  deploy,
  expectUndisturbed,
  pingParticipant,
  readHealth,
  readNodeKey,
  readParticipants,
  type Server,
  tellServers,
  writeRoas,
} from "./agent.ts";
import { type AgentVersion, buildVersions, copyVersion } from "./agent-versions.ts";
import { type Guide, openGuide } from "./guide.ts";
import { bootMachine, type Machine, startContainer } from "./machine.ts";
import { newVersion } from "./package-versions.ts";
import { expectUntouched, readOwner, readRunningOwner, setUpOwner, userspaceTunnel } from "./owner.ts";
import { createParticipant } from "./participant.ts";

let folder = "";
let server: Server;
let guide: Guide;
let machine: Machine;
let joinServer: JoinServer;
let joinRelay: Awaited<ReturnType<typeof relay>>;
/** The URL of the server on the machine, and its socket in the machine's files, which are the only way out of it. */
const joinUrl = "http://127.0.0.1:8080";
const joinSocket = "/srv/join.socket";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-package-"));
  await buildVersions(folder);
  const identity = join(folder, "server");
  server = { identity, fingerprint: (await openIdentity(identity, "server")).fingerprint };
  joinServer = await startJoinServer({ fingerprint: server.fingerprint });
  guide = await openGuide(
    "nodes.md",
    new Map([
      ["https://peering.example.net#TOKEN", joinServer.line.replace(joinServer.url, joinUrl)],
      ["192.0.2.1:4243", agentAddress],
      ["https://roa.example.net/roa4.conf", "/srv/roa4.conf"],
      ["https://roa.example.net/roa6.conf", "/srv/roa6.conf"],
    ]),
  );
  machine = await bootMachine();
  joinRelay = await relay(join(machine.root, joinSocket), new URL(joinServer.url).host);
  // The reader's answer when apt-get asks whether to continue.
  await machine.run(`echo 'APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/reader`);
  await writeRoas(machine);
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  joinRelay.close();
  await joinServer[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => copyPackage("old"));

const copyPackage = (version: AgentVersion) => copyVersion(machine, folder, version);
/** Runs the guide's block with this text, and returns all output. */
const follow = (text: string, change = (command: string) => command) =>
  machine.run(`exec 2>&1; cd /root\n${change(guide.command(text))}`);
const install = () => follow("apt-get install ./peerdeck-agent");
/** The agent listens on an address that no participant can enter. */
async function joinNode(): Promise<string> {
  await machine.run(
    `systemctl is-active --quiet join.socket || systemd-run --quiet --unit join \
      --socket-property=ListenStream=${new URL(joinUrl).host} /lib/systemd/systemd-socket-proxyd ${joinSocket}`,
  );
  return follow("peerdeck-agent join", (command) => `${command.trimEnd()} --endpoint syd01.example.net\n`);
}
const check = () => follow("peerdeck-agent setup");
const loadBirdConfig = () => follow("birdc configure");

const isRunning = () =>
  machine.run("systemctl is-active peerdeck-agent; systemctl is-enabled peerdeck-agent");
const runningAtBoot = "active\nenabled\n";
const meetsRequirements = "This machine meets all requirements of a node.";
/** Nothing of the owner changes, and participants do not notice the step. */
async function expectQuiet(step: () => Promise<unknown>): Promise<void> {
  // The owner's session may still come up after a restart of BIRD.
  await readRunningOwner(machine);
  await expectUndisturbed(machine, () => expectUntouched(machine, step));
}

/** BIRD and the tunnels of the owner take a moment to start. */
async function expectOwner(before: object): Promise<void> {
  await expect.poll(() => readOwner(machine), { timeout: 20_000 }).toEqual(before);
}

/** BIRD starts again, and has the sessions as before. */
async function expectBirdRestarts(): Promise<void> {
  const [owner, participants] = [await readRunningOwner(machine), await readParticipants(machine)];
  // systemd refuses more than five starts in ten seconds.
  await machine.run("systemctl reset-failed bird; systemctl restart bird");
  await expectOwner(owner);
  expect(await readParticipants(machine)).toEqual(participants);
}

async function followOnEmptyMachine(): Promise<void> {
  const hasKernelWireguard = await follow("wg-probe").then(
    () => true,
    () => false,
  );
  await follow("apt-get install wireguard-go");
  await install();
  const joined = await joinNode();
  expect(joined).toContain("\nWrote /etc/bird/bird.conf.\n");
  expect(joined).toContain(`\n${meetsRequirements}\n`);
  expect(joined).toMatch(/\nsyd01 has joined\. [^\n]*: peerdeck nodes open syd01\n$/);
  const agentPortOpen = { code: "agent-port-open", facts: {} };
  expect((await readHealth(machine, server)).findings).toEqual([agentPortOpen]);
  await tellServers(machine, server);
  // The agent shares what it reads for a second.
  await expect.poll(async () => (await readHealth(machine, server)).findings).toEqual([]);
  const peering = peeringOf(1, { endpointHost: "9.9.9.1" });
  expect(await deploy(machine, server, peering.asn, 1, peering)).toBe("applied");
  expect(await machine.run("pgrep --full '[w]ireguard-go' || true")).toMatch(
    hasKernelWireguard ? /^$/ : /^\d+\n$/,
  );
  expect(await deploy(machine, server, peering.asn, 2, null)).toBe("applied");

  // The package gives BIRD no mount namespace, and the guide's drop-in none to the agent.
  const hasMountNamespace = async (unit: string) => {
    const pid = await machine.run(`systemctl show --property MainPID --value ${unit}`);
    return (await machine.run(`readlink /proc/1/ns/mnt /proc/${pid.trim()}/ns/mnt | uniq | wc -l`)) !== "1\n";
  };
  await machine.run("systemctl restart bird");
  expect([await hasMountNamespace("bird"), await hasMountNamespace("peerdeck-agent")]).toEqual([false, true]);
  const dropIns = "/etc/systemd/system/peerdeck-agent.service.d";
  const noMounts = `mkdir ${dropIns}; cat > ${dropIns}/no-mounts.conf <<'END'\n${guide.file("ini")}END`;
  await machine.run(`${noMounts}\n${guide.command("systemctl daemon-reload")}`);
  await follow("systemctl restart");
  expect(await hasMountNamespace("peerdeck-agent")).toBe(false);
  expect((await readHealth(machine, server)).findings).toEqual([]);
  // As if the container allowed no mounts, from the first start.
  await machine.run(
    `printf '[Service]\\nBindPaths=/missing:/mnt\\n' > ${dropIns}/no-mounts.conf; systemctl daemon-reload
    rm /etc/peerdeck/agent.toml`,
  );
  const { stdout } = await joinNode().then(
    () => expect.fail("join succeeded"),
    (error: { readonly stdout: string }) => error,
  );
  expect(stdout).toMatch(
    /^peerdeck-agent\.service could not be started: Job for .*journalctl -u peerdeck-agent/m,
  );
  expect(stdout).toMatch(
    /\npeerdeck-agent\.service is not running: [^\n]*226\/NAMESPACE[^\n]*\nThen run the same line again\.\n$/,
  );
  await machine.run(`rm -r ${dropIns}; systemctl daemon-reload; systemctl restart peerdeck-agent`);

  await machine.run("systemctl disable --now peerdeck-agent");
  await copyPackage("new");
  await install();
  expect(await machine.run("systemctl is-enabled peerdeck-agent || true")).toBe("disabled\n");
  await expect(machine.run("peerdeck-agent setup")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "peerdeck-agent.service is not running (dead, last result: success), and does not start at boot (disabled). " +
        "Run: systemctl enable --now peerdeck-agent.",
    ),
  });

  // Without the package's service.
  await machine.run(
    `cd /usr/lib/peerdeck-agent; PATH=$PATH:$PWD; (${guide.command("node peerdeck-agent.mjs").trim()}) > /root/log & ` +
      `until grep --quiet '"msg":"agent listening"' /root/log; do sleep 0.1; done; kill $!`,
  );
  // Nothing is left that the question could be about.
  expect(await follow("apt-get purge")).not.toMatch(/Remove the|not found/);
}

async function followOnUsedRouter(): Promise<void> {
  // Of the other test, if it ran, only what its bird.conf includes is left.
  await machine.run("cd /etc/bird; rm -rf peerdeck peerdeck-policy.conf roa");
  const owner = await setUpOwner(machine);
  const participant = await createParticipant(machine);
  const one = participant.peering;
  const two = peeringOf(2, { endpointHost: "9.9.9.2" });
  const session = `dn42_${one.asn}`;
  /** A step that nothing notices, and after which BIRD can read its files. */
  const step = async (run: () => Promise<unknown>) => {
    await expectQuiet(run);
    await machine.run("bird -p");
  };
  const original = await readRunningOwner(machine);

  // Install and join.
  await step(install);
  await expectUndisturbed(machine, async () => {
    await machine.run(`cat >> /etc/bird/bird.conf <<'END'\n${guide.file("bird")}END`);
    await loadBirdConfig();
  });
  await step(async () => {
    const first = await joinNode();
    expect(first).toContain(`\n- BIRD's session owner_session uses ${userspaceTunnel}, to which `);
    expect(first).not.toContain(meetsRequirements);
    const listed = `s/^# interfaces = .*/interfaces = ["${userspaceTunnel}"]/`;
    await machine.run(`sed --in-place '${listed}' /etc/peerdeck/agent.toml`);
    await follow("systemctl restart");
    expect(await check()).toContain(meetsRequirements);
  });
  expect(await isRunning()).toBe(runningAtBoot);
  await step(() => tellServers(machine, server));
  await step(async () => expect(await follow("accept-server")).toContain(" within ten seconds, "));
  await step(async () => {
    await expect.poll(async () => (await readHealth(machine, server)).findings).toEqual([]);
  });

  // Deploy and edit.
  await expectQuiet(async () => expect(await deploy(machine, server, one.asn, 1, one)).toBe("applied"));
  await participant.join(await readNodeKey(machine, server));
  await participant.waitUntilEstablished();
  // The capabilities of the unit, CAP_NET_ADMIN and CAP_NET_RAW, suffice for the tunnel, addresses, a ping and ROAs.
  const status = await machine.run(
    "cat /proc/$(systemctl show --property MainPID --value peerdeck-agent)/status",
  );
  expect(status.match(/^Cap(?:Prm|Eff|Bnd|Amb):\t0{12}3000$/gm)).toHaveLength(4);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(await machine.run("ip -oneline address show dev lo")).toMatch(
    /172\.20\.16\.1\/32[^]*fd42:d42::1\/128/,
  );
  expect(await pingParticipant(machine, server, one.asn)).toMatchObject({ result: "success" });
  await expect
    .poll(() => machine.run(`birdc show route protocol ${session}`))
    .toMatch(/172\.20\.1\.0\/26[^]*fd42:4242:1::\/48/);
  await step(async () => {
    const seen = await follow("peerdeck_generation");
    expect(seen).toMatch(new RegExp(`^${session} .* Established`, "m"));
    expect(seen).toContain('"msg":"the router runs the applied configuration"');
    expect(await follow("wg show")).toMatch(new RegExp(`interface: ${session}\n[^]* latest handshake: `));
  });
  await step(async () => {
    await writeFile(join(machine.root, "etc/nftables.conf"), guide.file("nft"));
    await follow("nft --check");
  });
  await step(async () => {
    const edited = await participant.changePort(50_000);
    expect(await deploy(machine, server, one.asn, 2, edited)).toBe("applied");
  });
  await expectBirdRestarts();
  await participant.waitUntilEstablished();

  // Pause repairs, and disable the session.
  await step(async () => {
    const findings = async () => (await readHealth(machine, server)).findings.map(({ code }) => code);
    const readMtu = () => machine.run(`cat /sys/class/net/${session}/mtu`);
    const mtu = await readMtu();
    await follow("peerdeck-agent pause");
    await machine.run(`ip link set ${session} mtu 1300`);
    expect(await findings()).toEqual(["repairs-paused"]);
    await follow("peerdeck-agent resume");
    await expect.poll(readMtu).toBe(mtu);
    expect(await findings()).toEqual([]);
  });
  await expectUntouched(machine, async () => {
    await follow("birdc disable");
    await machine.run(
      `until grep --quiet 'disabled;' /etc/bird/peerdeck/current/${session}.conf; do sleep 0.1; done`,
    );
    await follow("systemctl restart");
    expect(await machine.run("birdc show protocols")).toMatch(
      new RegExp(`^${session} +BGP +--- +down `, "m"),
    );
    await expect
      .poll(async () => (await readHealth(machine, server)).findings.map(({ code }) => code))
      .toEqual(["sessions-disabled"]);
    await follow("birdc enable");
    await participant.waitUntilEstablished();
  });

  // Upgrade and reboot.
  await step(async () => {
    await copyPackage("new");
    await install();
  });
  expect(await follow("peerdeck-agent --version")).toBe(`${newVersion}\n`);
  expect((await readHealth(machine, server)).version).toBe(newVersion);
  const [ownerBeforeBoot, keyBeforeBoot] = [
    await readRunningOwner(machine),
    await readNodeKey(machine, server),
  ];
  await machine.reboot();
  await owner.joinFarEnd();
  expect(await isRunning()).toBe(runningAtBoot);
  await expectOwner(ownerBeforeBoot);
  await participant.join(keyBeforeBoot);
  await participant.waitUntilEstablished();

  // The owner edits bird.conf: a syntax error, half done, and started again with the edit.
  const expectWaiting = () =>
    expectQuiet(async () => {
      expect(await deploy(machine, server, two.asn, 1, two)).toContain(
        "is changing this node's configuration",
      );
    });
  await machine.run("echo 'protocol static half_done {' >> /etc/bird/bird.conf");
  await expectWaiting();
  await machine.run("echo 'ipv4; }' >> /etc/bird/bird.conf");
  await expectWaiting();
  await machine.run("systemctl restart bird");
  await participant.waitUntilEstablished();

  // A tunnel of the owner cannot be read, also when the agent starts.
  await step(async () => {
    const hung = (await machine.run(`pgrep --full '[w]ireguard-go ${userspaceTunnel}'`)).trim();
    await machine.run(`kill -STOP ${hung}`);
    const shown = await machine.run(`timeout 1 wg show ${userspaceTunnel} || echo "status $?"`);
    expect(shown).toBe("status 124\n");
    await follow("systemctl restart");
    expect(await deploy(machine, server, two.asn, 1, two)).toBe("applied");
    await machine.run(`kill -CONT ${hung}`);
  });

  // Remove and install again.
  await step(() => follow("apt-get remove"));
  await step(install);
  expect(await isRunning()).toBe(runningAtBoot);

  // Purge, keep the peerings, and install again.
  await step(async () => {
    const purged = await answer("Remove the 2 peerings of this node?", "no", "apt-get purge");
    expect(purged).toContain(
      "2 peerings of this node keep running until a reboot. A new installation takes them over.",
    );
    expect(purged).toMatch(/\/etc\/bird\/bird\.conf, line \d+, still includes Peerdeck's files/);
  });
  await expectBirdRestarts();
  await participant.waitUntilEstablished();
  await step(async () => {
    await install();
    expect(await joinNode()).toContain("peerdeck-agent.service is running since ");
  });
  expect(await deploy(machine, server, two.asn, 2, null)).toBe("applied");
  expect((await readParticipants(machine)).sessions).toEqual([session]);

  // Purge with the peerings. An interface with such a name and a table are not the agent's.
  await machine.run("ip link add dn42_4242420099 type bridge; nft add table inet operator");
  await follow("debconf-set-selections");
  await expectUntouched(machine, async () => {
    expect(await follow("apt-get purge")).toContain(
      "Removed 1 peering from this node. BIRD forgets the sessions when you run: birdc configure",
    );
  });
  expect(await machine.run("ip -oneline link show | grep --only-matching 'dn42_[0-9]*'")).toBe(
    "dn42_4242420099\n",
  );
  expect(await machine.run("nft list tables")).toBe("table inet filter\ntable inet operator\n");
  expect(await machine.run("ls /var/lib/peerdeck-agent /etc/peerdeck 2>&1 || true")).toMatch(
    /^ls: cannot access .*\nls: cannot access .*\n$/,
  );
  await machine.run("ip link delete dn42_4242420099");
  await machine.run("systemctl restart bird");
  await expect.poll(() => readParticipants(machine)).toEqual({ tunnels: [], sessions: [] });

  // What is left over.
  await machine.run("sed --in-place '/^define OWN_AS/,$ d' /etc/bird/bird.conf");
  await loadBirdConfig();
  await follow("rm -r");
  await expectBirdRestarts();
  expect(await machine.run("ls /etc/bird")).not.toContain("peerdeck");
  await machine.reboot();
  await owner.joinFarEnd();
  await expectOwner(original);
}

/** Runs a block of the guide on a terminal, and answers the question. */
async function answer(question: string, reply: string, text: string): Promise<string> {
  const terminal = "/root/terminal";
  await writeFile(join(machine.root, terminal), "");
  return machine.run(
    `cd /root; (until grep --quiet --fixed-strings '${question}' ${terminal}; do sleep 0.1; done; echo ${reply}) |
    DEBIAN_FRONTEND=teletype timeout 60 script --quiet --flush --return --command '${guide.command(text).trim()}' ${terminal}`,
  );
}

const machines: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  ["on an empty machine it leads to a node, and join says if the service does not run", followOnEmptyMachine],
  ["on a router that is in use, the owner and the participants notice no step", followOnUsedRouter],
];

test.each(oneOfCommit(machines))("the guide: %s", async (_, followGuide) => {
  await followGuide();
  expect(await machine.run("systemctl list-unit-files --no-legend 'peerdeck*' || true")).toBe("");
});

test("what systemd-nspawn says about a machine that does not boot is kept", async () => {
  const { child, readErrors } = startContainer("/nonexistent/root");
  await once(child, "close");
  expect(readErrors()).toMatch(/\/nonexistent\/root/);
});

test("the guide's commands are in blocks, and the tests run each of them and load every file", async () => {
  expect(guide.command("npm run")).toBe(`${buildCommand}\n`);
  // The unit tests of the agent's configuration parse it.
  guide.file("toml");
  expect(guide.strayCommands()).toEqual([]);
  if (isEveryCase()) expect(guide.unused()).toEqual([]);
});
