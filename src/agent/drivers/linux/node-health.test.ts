import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { BirdUnavailableError } from "../bird/control-socket.ts";
import { type HostPaths, readNodeHealth } from "./node-health.ts";

let folder = "";
let files: HostPaths;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peerdeck-health-"));
  files = { settings: join(folder, "sys"), sockets: join(folder, "wireguard") };
  await setting("net/ipv4/conf/all/rp_filter", "0");
  await setting("net/ipv4/ip_forward", "1");
  await setting("net/ipv6/conf/all/forwarding", "1");
  await setting("fs/inotify/max_user_instances", "128");
});
afterEach(() => rm(folder, { recursive: true }));

async function setting(name: string, value: string): Promise<void> {
  const path = join(files.settings, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${value}\n`);
}

async function userspaceTunnels(count: number): Promise<void> {
  await mkdir(files.sockets, { recursive: true });
  for (let number = 0; number < count; number += 1) {
    await writeFile(join(files.sockets, `dn42_${number}.sock`), "");
  }
}

const up = async () => replyOf("0013 Daemon is up and running");
const unresponsive = () => Promise.reject(new BirdUnavailableError("no"));
const issues = async () => (await readNodeHealth(up, files)).issues;

test("a correct router has no issues, with tunnels in the kernel or a few in wireguard-go", async () => {
  expect(await issues()).toEqual([]);
  await userspaceTunnels(111);
  expect(await issues()).toEqual([]);
});

test("reports settings that drop packets and a BIRD that does not respond, and how to fix them", async () => {
  await setting("net/ipv4/conf/all/rp_filter", "2");
  await setting("net/ipv4/ip_forward", "0");
  const health = await readNodeHealth(unresponsive, files);
  expect(health.publicIssues).toEqual(["BIRD does not respond on this node."]);
  expect(health.issues).toEqual([
    "BIRD does not respond on its control socket. Check that it is running: systemctl status bird",
    "The kernel drops packets that arrive through another tunnel than the replies use: net.ipv4.conf.all.rp_filter " +
      "is 2. Set it to 0 in /etc/sysctl.d.",
    "The kernel does not forward IPv4: net.ipv4.ip_forward is 0. Set it to 1 in /etc/sysctl.d.",
  ]);
});

test("reports inotify instances before wireguard-go runs out of them", async () => {
  await userspaceTunnels(112);
  expect(await issues()).toEqual([
    "Only 16 more tunnels are possible: wireguard-go uses one inotify instance per tunnel, and 112 of 128 are in " +
      "use. Set fs.inotify.max_user_instances to 1024 in /etc/sysctl.d.",
  ]);
  await setting("fs/inotify/max_user_instances", "1024");
  expect(await issues()).toEqual([]);
});
