import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { writeFiles } from "#system/fixtures/write-files.ts";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { BirdUnavailableError } from "../bird/control-socket.ts";
import { findMachineSettings, type HostPaths, readNodeHealth } from "./node-health.ts";

let files: HostPaths;
beforeEach(async () => {
  const folder = await createFolder();
  files = { settings: join(folder, "sys"), sockets: join(folder, "wireguard") };
  await set({
    "net/ipv4/conf/all/rp_filter": "0",
    "net/ipv4/ip_forward": "1",
    "net/ipv6/conf/all/forwarding": "1",
    "fs/inotify/max_user_instances": "128",
  });
});

const set = (settings: Readonly<Record<string, string>>) => writeFiles(files.settings, settings);
const userspaceTunnels = (count: number) =>
  writeFiles(
    files.sockets,
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`dn42_${n}.sock`, ""])),
  );

const up = async () => replyOf("0013 Daemon is up and running");
const unresponsive = () => Promise.reject(new BirdUnavailableError("no"));
const findings = async () => (await readNodeHealth(up, files, ["wg-per01"])).findings;

test("a correct router has no findings, with tunnels in the kernel or a few in wireguard-go", async () => {
  expect(await findings()).toEqual([]);
  await userspaceTunnels(111);
  expect(await findings()).toEqual([]);
});

test("reports what new tunnels start with, a BIRD that does not respond, and to setup the machine's settings", async () => {
  await set({
    "net/ipv4/conf/all/rp_filter": "2",
    "net/ipv4/ip_forward": "0",
    "net/ipv4/conf/default/rp_filter": "1",
  });
  const ofNewTunnels = {
    code: "kernel-setting",
    facts: { name: "net.ipv4.conf.default.rp_filter", value: "1", expected: "0" },
  };
  expect((await readNodeHealth(unresponsive, files, ["wg-per01"])).findings).toEqual([
    { code: "bird-unavailable", facts: {} },
    ofNewTunnels,
  ]);
  expect((await readNodeHealth(up, files)).findings).toEqual([]);
  expect(await findMachineSettings(files)).toEqual([
    { code: "kernel-setting", facts: { name: "net.ipv4.conf.all.rp_filter", value: "2", expected: "0" } },
    { code: "kernel-setting", facts: { name: "net.ipv4.ip_forward", value: "0", expected: "1" } },
  ]);
  await set({ "net/ipv4/conf/default/rp_filter": "2" });
  expect(await findings()).toEqual([]);
});

test("reports inotify instances before wireguard-go runs out of them", async () => {
  await userspaceTunnels(112);
  expect(await findings()).toEqual([
    { code: "inotify-instances-low", facts: { remaining: 16, used: 112, limit: 128 } },
  ]);
  await set({ "fs/inotify/max_user_instances": "1024" });
  expect(await findings()).toEqual([]);
});
