/** The agent's setup on a fresh machine. tests/machine has the package and its service. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Internet, openInternet, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { repository } from "../support/repository.ts";

let internet: Internet;

beforeEach(async () => {
  internet = await openInternet();
});
afterEach(() => internet[Symbol.asyncDispose]());

const birdFolder = "/etc/bird";
const options =
  "--node de01 --asn 4242422227 --listen 198.51.100.253:4243 --ipv4 172.20.17.1 --ipv6 fd42:aaaa::1 " +
  "--prefix 172.20.17.0/27 --prefix fd42:aaaa::/48 --roa4 /roa4 --server-address 198.51.100.10";

/** The package has the policy and the base of bird.conf beside the program. */
const documents = path.join(repository, "docs/bird");

/** Runs the command with the path of the agent's configuration as the first argument. */
const setupProgram = `
  const { thisMachine } = await import("${repository}/src/agent/setup/setup-machine.ts");
  await import("${repository}/src/agent/setup/setup.ts")
    .then(({ runSetup }) => runSetup(process.argv.slice(2), thisMachine(process.argv[1], "${documents}")))
    .catch(({ message }) => console.log(message));`;

/** A machine with Debian's BIRD and the policy, both unmodified. */
async function freshMachine() {
  const machine = await internet.host("de01", "198.51.100.253/24");
  const etc = path.join(machine.folder, "etc-bird");
  await mkdir(etc);
  // Nothing on the machine that runs the tests is modified.
  await runCommands(machine, [
    "mount -t tmpfs tmpfs /var/lib",
    `mount --bind ${etc} ${birdFolder}`,
    `cp /usr/share/bird[23]/bird.conf ${documents}/peerdeck-policy.conf ${birdFolder}`,
    `mkdir -p /run/bird ${birdFolder}/roa ${birdFolder}/peerdeck/a`,
    `for link in current confirmed; do ln -s a ${birdFolder}/peerdeck/$link; done`,
    "bird -P /run/bird/bird.pid",
  ]);
  // BIRD 3.1.7 and 3.4.0 crash if `configure` replaces the kernel protocols in the first second.
  const version = await machine.run("sh", "-c", "bird --version 2>&1");
  if (version.includes("version 3")) await pause(2000);
  return {
    folder: machine.folder,
    machine,
    setup: (given: string) =>
      machine.run(
        "sh",
        "-c",
        `exec "$0" -e "$1" -- "$2" ${given} 2>&1`,
        process.execPath,
        setupProgram,
        path.join(machine.folder, "agent.toml"),
      ),
    /** Runs another command of the agent. */
    agent: (command: string) =>
      machine.run(
        "env",
        `PEERDECK_AGENT_CONFIG=${path.join(machine.folder, "agent.toml")}`,
        process.execPath,
        path.join(repository, "src/agent/main.ts"),
        command,
      ),
  };
}

test("setup writes both files, makes BIRD load its file, and prints problems and how to join", async () => {
  const { setup, agent, folder } = await freshMachine();
  const config = path.join(folder, "agent.toml");
  expect(await setup("")).toMatch(/^.*agent\.toml does not exist yet\./);
  const first = await setup(options);
  const version = /^BIRD [0-9.]+ was .*tried with this agent\. Tried versions: 2\.0\.12, .*\.$/m.exec(
    first,
  )?.[0];
  const fingerprint = /^The fingerprint of this agent is (?:[0-9A-F]{2}:){31}[0-9A-F]{2}\.$/m.exec(
    first,
  )?.[0];
  const servers = `${version}
${fingerprint}
No server can connect yet. On the server, peerdeck nodes add de01 --place "City, Country" prints a line to run here, which \
begins with peerdeck-agent join.
`;
  const problems = `Problems found:
- dn42_roa4 and dn42_roa6 are empty, so every route of both families is rejected. The agent \
loads them from the sources in [linux.roa] of agent.toml; journalctl -u peerdeck-agent shows errors.
`;
  expect(first).toBe(`Wrote ${config}.\nWrote /etc/bird/bird.conf.\n${problems}${servers}`);
  expect(await setup("")).toBe(`${problems}${servers}`);
  await agent("pause");
  expect(await setup("")).toMatch(
    /\nRepairs of this node were paused \d+ s ago\. .* Resume them on the node: peerdeck-agent resume\nThe fingerprint/,
  );
  await agent("resume");
  expect(await setup(options.replace("de01", "fra01"))).toBe(
    `Kept ${config} unchanged.\nKept /etc/bird/bird.conf unchanged.\n${problems}${servers}`,
  );
});

test("setup keeps what the operator wrote, and names missing lines, chains that drop and an open port", async () => {
  const { setup, folder, machine } = await freshMachine();
  const file = path.join(folder, "etc-bird/bird.conf");
  const written = "router id 198.51.100.253;\nprotocol device { }\n";
  await writeFile(file, written);
  await machine.run(
    "nft",
    "table ip filter { chain FORWARD { type filter hook forward priority 0; policy drop; }; }",
  );
  const output = await setup(options.replace(/--server-address \S+/, ""));
  expect(output).toContain(
    "\nEvery address can connect to the agent's port, until the server has told its addresses.",
  );
  expect(output).toContain(`
Kept /etc/bird/bird.conf unchanged.
Problems found:
- Your chain ip filter FORWARD drops forwarded packets by default, and none of its rules names participants' \
interfaces. Accept packets between participants' interfaces (dn42_*) and your own tunnels.
- BIRD does not know peerdeck_import, peerdeck_export, peerdeck_peer. Add these lines to the end of \
/etc/bird/bird.conf, in this order, and run birdc configure:${missingLines}
`);
  expect(await readFile(file, "utf8")).toBe(written);

  await machine.run("nft", "add rule ip filter FORWARD iifname dn42_* oifname { dn42_*, wg-peer1 } accept");
  const load = async (lines: string) => {
    await writeFile(file, `${written}${definitions}${lines}\n`);
    await machine.run("birdc", "configure");
  };
  await writeFile(file, `${written}${missingLines}\n`);
  await machine.run("birdc", "configure");
  expect(await setup("")).not.toContain("BIRD does not know");
  await load(policyLines);
  const empty = "- dn42_roa4 and dn42_roa6 are empty, so every route of both families is rejected.";
  expect(await setup("")).toContain(`Problems found:
${empty} bird.conf does not include the ROAs that the agent keeps in \
/etc/bird/roa. Add these lines to its end, and run birdc configure:${roaLines}
`);
  await load(policyLines + roaLines);
  const checked = await setup("");
  expect(checked).toContain(`Problems found:
${empty} The agent loads them from the sources in [linux.roa]`);
  expect(checked).toContain(
    "\nYour chain ip filter FORWARD drops forwarded packets by default. Check that it ",
  );

  // A peering that the operator made by hand, before it has routes.
  await load(`${policyLines + roaLines}
protocol bgp hand_made {
  local as 4242422227; neighbor 198.51.100.9 as 4242429998; ipv4 { import all; export none; };
}
protocol bgp by_link { local as 4242422227; neighbor fe80::9 % 'eth0' as 4242429997; ipv6 { import all; export none; }; }`);
  expect(await setup("")).toContain(
    "\n- BIRD's session by_link uses eth0, to which the packet filter lets no participant's packets. Add it in agent.toml: a tunnel to your own node to [linux.tunnels]",
  );
  await machine.run("ip", "route", "add", "172.20.99.0/24", "via", "198.51.100.20", "proto", "bird");
  expect(await setup("")).toContain(
    "\n- BIRD routes the network through eth0, but participants' packets are not ",
  );
});

/** Opens the node of the configuration, and prints what its health reports. */
const healthProgram = `
  const log = { info() {}, warn() {}, error() {} };
  Promise.all(["config/agent-config.ts", "drivers/linux/linux-node.ts"].map((file) => import("${repository}/src/agent/" + file)))
    .then(async ([{ parseAgentConfig }, { openLinuxNode }]) => {
      const config = parseAgentConfig(require("node:fs").readFileSync(process.argv[1], "utf8"), "agent.toml");
      const router = await openLinuxNode(config, log);
      console.log(JSON.stringify((await router.health()).findings));
      await router[Symbol.asyncDispose]();
    });`;

test("without IPv6, setup names the kernel's settings, and the agent starts without the node's IPv6 address", async () => {
  const { setup, folder, machine } = await freshMachine();
  await setup(options);
  await machine.run("sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6");
  const output = await setup("");
  for (const [effect, scope] of [
    ["all interfaces", "all"],
    ["new interfaces", "default"],
    ["the loopback interface", "lo"],
  ]) {
    expect(output).toContain(
      `- The kernel has IPv6 disabled on ${effect}: net.ipv6.conf.${scope}.disable_ipv6 is 1. Set it to 0 in /etc/sysctl.d.\n`,
    );
  }
  const printed = await machine.run(
    process.execPath,
    "-e",
    healthProgram,
    "--",
    path.join(folder, "agent.toml"),
  );
  expect(JSON.parse(printed)).toContainEqual({
    code: "node-address-not-set",
    facts: { address: "fd42:aaaa::1", output: expect.stringContaining("IPv6 is disabled") as string },
  });
  expect(await machine.run("ip", "address", "show", "dev", "lo")).toContain("172.20.17.1/32");
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
const missingLines = `${definitions.trimEnd().replaceAll("\n", "\n    ")}${roaLines}\n${policyLines}`;
