/** The agent's package on a router that is in use: nothing of the owner changes. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from "vitest";
import { buildAgentPackage } from "../support/agent-package.ts";
import { bootMachine, type Machine } from "./machine.ts";
import { expectUntouched, readOwner, setUpOwner } from "./owner.ts";

let folder = "";
let deb = "";
let machine: Machine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-package-"));
  deb = await buildAgentPackage(folder, { compressed: false });
});
afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  machine = await bootMachine();
  await setUpOwner(machine);
  await cp(deb, join(machine.root, "root", basename(deb)));
});
afterEach(() => machine[Symbol.asyncDispose]());

const install = () => machine.run(`dpkg --install /root/${basename(deb)}`);

async function setUpAgent(): Promise<void> {
  await machine.run("touch /srv/roa4.conf /srv/roa6.conf");
  await machine.run(
    "peerdeck-agent setup --node syd01 --asn 4242422227 --listen 127.0.0.1:4243 --ipv4 172.20.16.1 " +
      "--ipv6 fd42:d42::1 --prefix 172.20.16.0/27 --prefix fd42:d42::/48 --roa4 /srv/roa4.conf --roa6 /srv/roa6.conf",
  );
  expect(await machine.run("systemctl is-active peerdeck-agent")).toBe("active\n");
}

/** The names of the tunnels that the agent's wg shows. */
async function listAgentTunnels(): Promise<string> {
  const pid = (await machine.run("systemctl show --property MainPID --value peerdeck-agent")).trim();
  return machine.run(`nsenter --target ${pid} --mount wg show interfaces`);
}

test("install, setup, restart, removal, installation, purge and boots change nothing of the owner", async () => {
  await expectUntouched(machine, install);
  await expectUntouched(machine, setUpAgent);
  await expectUntouched(machine, () => machine.run("systemctl restart peerdeck-agent"));
  const before = await readOwner(machine);
  await machine.reboot();
  expect(await machine.run("systemctl is-active peerdeck-agent")).toBe("active\n");
  expect(await readOwner(machine)).toEqual(before);
  await expectUntouched(machine, () => machine.run("dpkg --remove peerdeck-agent"));
  await expectUntouched(machine, install);
  await expectUntouched(machine, () => machine.run("dpkg --purge peerdeck-agent"));
  await machine.reboot();
  expect(await readOwner(machine)).toEqual(before);
});

test("an upgrade keeps the tunnels whose control sockets an earlier version had in /run/wireguard", async () => {
  await install();
  await setUpAgent();
  const name = "dn42_4242420001";
  await machine.run(`wireguard-go ${name}`);
  await machine.run(`chown peerdeck-agent:peerdeck-agent /run/wireguard`);
  await machine.run(`echo '["${name}"]' > /var/lib/peerdeck-agent/interfaces.json`);
  const process = await machine.run(`pgrep --full '[w]ireguard-go ${name}'`);
  await install();
  expect(await listAgentTunnels()).toBe(`${name}\n`);
  expect(await machine.run(`pgrep --full '[w]ireguard-go ${name}'`)).toBe(process);
  expect(await machine.run("stat --format %U:%G /run/wireguard")).toBe("root:root\n");
  expect(await machine.run("wg show interfaces")).not.toContain(name);
});
