import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "../../fixtures/create-folder.ts";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { BirdUnavailableError } from "../bird/control-socket.ts";
import { type HostPaths, readNodeHealth } from "./node-health.ts";

let folder = "";
let files: HostPaths;
beforeEach(async () => {
  folder = await createFolder();
  files = { settings: join(folder, "sys"), sockets: join(folder, "wireguard") };
  await setting("net/ipv4/conf/all/rp_filter", "0");
  await setting("net/ipv4/ip_forward", "1");
  await setting("net/ipv6/conf/all/forwarding", "1");
  await setting("fs/inotify/max_user_instances", "128");
});

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
const findings = async () => (await readNodeHealth(up, files)).findings;

test("a correct router has no findings, with tunnels in the kernel or a few in wireguard-go", async () => {
  expect(await findings()).toEqual([]);
  await userspaceTunnels(111);
  expect(await findings()).toEqual([]);
});

test("reports settings that drop packets, with their right values, and a BIRD that does not respond", async () => {
  await setting("net/ipv4/conf/all/rp_filter", "2");
  await setting("net/ipv4/ip_forward", "0");
  const health = await readNodeHealth(unresponsive, files);
  expect(health.findings).toEqual([
    { code: "bird-unavailable", facts: {} },
    { code: "kernel-setting", facts: { name: "net.ipv4.conf.all.rp_filter", value: "2", expected: "0" } },
    { code: "kernel-setting", facts: { name: "net.ipv4.ip_forward", value: "0", expected: "1" } },
  ]);
});

test("reports inotify instances before wireguard-go runs out of them", async () => {
  await userspaceTunnels(112);
  expect(await findings()).toEqual([
    { code: "inotify-instances-low", facts: { remaining: 16, used: 112, limit: 128 } },
  ]);
  await setting("fs/inotify/max_user_instances", "1024");
  expect(await findings()).toEqual([]);
});
