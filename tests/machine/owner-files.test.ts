/** The agent's package on a router that is in use: nothing of the owner changes, and participants notice no step. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { peeringOf } from "../../src/agent/fixtures/peerings.ts";
import { runOk, runProcess } from "../../src/agent/processes.ts";
import { openIdentity } from "../../src/mtls/tls-identity.ts";
import { buildAgentPackage } from "../support/agent-package.ts";
import {
  deploy,
  expectUndisturbed,
  listAgentTunnels,
  readHealth,
  readParticipants,
  type Server,
  setUpAgent,
} from "./agent.ts";
import { bootMachine, type Machine } from "./machine.ts";
import { expectUntouched, includePeerdeck, readOwner, setUpOwner } from "./owner.ts";

const newVersion = "9.0.0+20991231.235959";

let folder = "";
let server: Server;
let machine: Machine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-package-"));
  const deb = await buildAgentPackage(join(folder, "built"), { compressed: false });
  await cp(deb, join(folder, "old.deb"));
  await raiseVersion(deb, join(folder, "new.deb"));
  const identity = join(folder, "server");
  server = { identity, fingerprint: (await openIdentity(identity, "server")).fingerprint };
});
afterAll(() => rm(folder, { recursive: true }));

/** Packs the same files with a later version. */
async function raiseVersion(deb: string, target: string): Promise<void> {
  const tree = join(folder, "tree");
  await runOk(runProcess, "dpkg-deb", ["--raw-extract", deb, tree]);
  const control = join(tree, "DEBIAN/control");
  const text = await readFile(control, "utf8");
  await writeFile(control, text.replace(/^Version: .*$/m, `Version: ${newVersion}`));
  await writeFile(join(tree, "usr/lib/peerdeck-agent/version"), `${newVersion}\n`);
  await runOk(runProcess, "dpkg-deb", ["--root-owner-group", "-Znone", "--build", tree, target]);
}

beforeEach(async () => {
  machine = await bootMachine();
  await setUpOwner(machine);
  for (const name of ["old", "new"])
    await cp(join(folder, `${name}.deb`), join(machine.root, `root/${name}.deb`));
});
afterEach(() => machine[Symbol.asyncDispose]());

const install = (name = "old") => machine.run(`cd /root && apt-get install --yes ./${name}.deb 2>&1`);
const isRunning = () =>
  machine.run("systemctl is-active peerdeck-agent; systemctl is-enabled peerdeck-agent");
const runningAtBoot = "active\nenabled\n";
/** Nothing of the owner changes, and participants do not notice the step. */
const expectQuiet = (step: () => Promise<unknown>) =>
  expectUndisturbed(machine, () => expectUntouched(machine, step));

/** BIRD and the tunnels of the owner take a moment to start. */
async function expectOwner(before: object): Promise<void> {
  await expect.poll(() => readOwner(machine), { timeout: 20_000 }).toEqual(before);
}

/** BIRD starts again, and reads all files. */
async function expectBirdRestarts(): Promise<void> {
  const before = await readOwner(machine);
  await machine.run("systemctl restart bird");
  await expectOwner(before);
}

const one = peeringOf(1, { endpointHost: "9.9.9.1" });
const two = peeringOf(2, { endpointHost: "9.9.9.2" });

test("install, setup, deployments, upgrade, boot, edits of the owner, removal and purge", async () => {
  await expectUntouched(machine, install);
  await includePeerdeck(machine);
  await expectUntouched(machine, () => setUpAgent(machine, server));
  expect(await isRunning()).toBe(runningAtBoot);
  await expectUntouched(machine, async () => {
    expect(await deploy(machine, server, one.asn, 1, one)).toBe("applied");
  });
  await expectBirdRestarts();
  await expectQuiet(async () => {
    expect(await deploy(machine, server, one.asn, 2, { ...one, endpointPort: 50_000 })).toBe("applied");
  });

  await expectQuiet(() => install("new"));
  expect(await machine.run("peerdeck-agent --version")).toBe(`${newVersion}\n`);
  expect((await readHealth(machine, server)).version).toBe(newVersion);
  const beforeBoot = await readOwner(machine);
  await machine.reboot();
  expect(await isRunning()).toBe(runningAtBoot);
  await expectOwner(beforeBoot);
  await expect
    .poll(() => readParticipants(machine))
    .toEqual({ tunnels: [expect.stringContaining(" dn42_4242420001")], sessions: expect.anything() });

  const halfDone = "protocol static half_done { ipv4; }";
  await machine.run(`echo '${halfDone}' >> /etc/bird/bird.conf`);
  await expectQuiet(async () => {
    expect(await deploy(machine, server, two.asn, 1, two)).toContain("is changing this node's configuration");
  });
  await machine.run("echo '}' >> /etc/bird/bird.conf");
  await expectQuiet(async () => {
    expect(await deploy(machine, server, two.asn, 1, two)).toContain("is changing this node's configuration");
  });
  await machine.run("sed --in-place '$ d' /etc/bird/bird.conf; birdc configure");
  expect(await deploy(machine, server, two.asn, 1, two)).toBe("applied");

  await expectQuiet(() => machine.run("apt-get remove --yes peerdeck-agent"));
  await expectBirdRestarts();
  await expectQuiet(() => install("new"));
  expect(await isRunning()).toBe(runningAtBoot);
  await expectQuiet(async () => {
    expect(await machine.run("peerdeck-agent setup")).toContain("peerdeck-agent.service is running since ");
  });

  await expectQuiet(async () => {
    const purged = await machine.run("apt-get purge --yes peerdeck-agent 2>&1");
    expect(purged).toContain("The 2 peerings of this node keep running. A new installation takes them over.");
    expect(purged).toMatch(/\/etc\/bird\/bird\.conf, line \d+, still includes Peerdeck's files/);
  });
  await expectBirdRestarts();
  await expectQuiet(async () => {
    await install("new");
    await setUpAgent(machine, server);
  });
  expect(await deploy(machine, server, two.asn, 2, null)).toBe("applied");
  expect(await listAgentTunnels(machine)).toBe("dn42_4242420001\n");

  const answer = "peerdeck-agent peerdeck-agent/remove-peerings boolean true";
  await machine.run(`echo '${answer}' | debconf-set-selections`);
  // An interface with such a name and a table that are not the agent's.
  await machine.run("ip link add dn42_4242420099 type bridge; nft add table inet operator");
  await expectUntouched(machine, () => machine.run("apt-get purge --yes peerdeck-agent"));
  expect(await machine.run("ip -oneline link show | grep --only-matching 'dn42_[0-9]*'")).toBe(
    "dn42_4242420099\n",
  );
  expect(await machine.run("nft list tables")).toBe("table inet operator\n");
  expect(await machine.run("ls /var/lib/peerdeck-agent /etc/peerdeck 2>&1 || true")).toMatch(
    /^ls: cannot access .*\nls: cannot access .*\n$/,
  );
  await expectBirdRestarts();
  expect(await readParticipants(machine)).toEqual({ tunnels: [], sessions: new Map() });
  const beforeLastBoot = await readOwner(machine);
  await machine.reboot();
  await expectOwner(beforeLastBoot);
});

test("an upgrade keeps the tunnels whose control sockets an earlier version had in /run/wireguard", async () => {
  await install();
  await includePeerdeck(machine);
  await setUpAgent(machine, server);
  const name = "dn42_4242420001";
  await machine.run(`wireguard-go ${name}`);
  await machine.run(`chown peerdeck-agent:peerdeck-agent /run/wireguard`);
  await machine.run(`echo '["${name}"]' > /var/lib/peerdeck-agent/interfaces.json`);
  const process = await machine.run(`pgrep --full '[w]ireguard-go ${name}'`);
  await install("new");
  expect(await listAgentTunnels(machine)).toBe(`${name}\n`);
  expect(await machine.run(`pgrep --full '[w]ireguard-go ${name}'`)).toBe(process);
  expect(await machine.run("stat --format %U:%G /run/wireguard")).toBe("root:root\n");
  expect(await machine.run("wg show interfaces")).not.toContain(name);
});

test("setup fails, and says what to do, if the service does not run or the owner has disabled it", async () => {
  await install();
  await includePeerdeck(machine);
  await setUpAgent(machine, server);
  await machine.run("systemctl disable --now peerdeck-agent");
  await install("new");
  expect(await machine.run("systemctl is-enabled peerdeck-agent || true")).toBe("disabled\n");
  await expect(machine.run("peerdeck-agent setup")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "peerdeck-agent.service is not running (dead, last result: success), and does not start at boot (disabled). " +
        "Run: systemctl enable --now peerdeck-agent.",
    ),
  });
});
