import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { writeFiles } from "#system/fixtures/write-files.ts";
import { dualStackOf, peeringOf, routed } from "../../fixtures/peerings.ts";
import { findDisabledIpv6, readIpv6Support } from "./ipv6-settings.ts";

const ipv4Only = routed(dualStackOf(1, { addressFamily: "IPv4", peerIpv6: null, localIpv6: null }));
const ipv6 = routed(peeringOf(2));
const setting = (scope: string) => ({
  code: "kernel-setting",
  facts: { name: `net.ipv6.conf.${scope}.disable_ipv6`, value: "1", expected: "0" },
});

async function settingsOf(values: Readonly<Record<"all" | "default" | "lo", string>>): Promise<string> {
  const folder = await createFolder();
  const files = Object.entries(values).map(
    ([scope, value]) => [`net/ipv6/conf/${scope}/disable_ipv6`, `${value}\n`] as const,
  );
  await writeFiles(folder, Object.fromEntries(files));
  return folder;
}

test.each([
  { all: "0", default: "0", lo: "0", forTunnels: [], forAddresses: [] },
  { all: "1", default: "1", lo: "1", forTunnels: ["all", "default"], forAddresses: ["all", "default", "lo"] },
  // The owner has disabled it on interfaces that the agent does not use.
  { all: "1", default: "0", lo: "0", forTunnels: [], forAddresses: [] },
  { all: "0", default: "0", lo: "1", forTunnels: [], forAddresses: ["lo"] },
  { all: "0", default: "1", lo: "0", forTunnels: ["default"], forAddresses: ["default"] },
])("all $all, default $default, lo $lo", async ({ forTunnels, forAddresses, ...values }) => {
  const folder = await settingsOf(values);
  const canHaveIpv6 = await readIpv6Support(folder);
  expect(await canHaveIpv6("dn42_4242420001")).toBe(values.default === "0");
  expect(await findDisabledIpv6(false, [ipv4Only], folder)).toEqual([]);
  expect(await findDisabledIpv6(false, [ipv4Only, ipv6], folder)).toEqual(forTunnels.map(setting));
  expect(await findDisabledIpv6(true, [ipv4Only], folder)).toEqual(forAddresses.map(setting));
});

test("a kernel without IPv6", async () => {
  const folder = join(await createFolder(), "sys");
  expect(await (await readIpv6Support(folder))("dn42_4242420001")).toBe(false);
  expect(await findDisabledIpv6(false, [ipv4Only], folder)).toEqual([]);
  expect(await findDisabledIpv6(true, [], folder)).toEqual([{ code: "kernel-without-ipv6", facts: {} }]);
});
