import { expect, test } from "vitest";
import { processResult } from "../../fixtures/process-result.ts";
import { ProcessError, type Run } from "#system/processes.ts";
import { findUnlistedInterfaces } from "./unlisted-interfaces.ts";

const routes: Readonly<Record<string, readonly object[]>> = {
  "-4": [
    { dst: "172.20.1.0/26", gateway: "172.20.1.1", dev: "dn42_4242420001", protocol: "bird" },
    { dst: "172.20.16.2", dev: "wg-per01", protocol: "bird" },
    { dst: "172.20.9.0/24", protocol: "bird", nexthops: [{ dev: "wg-per01" }, { dev: "wg-sin01" }] },
    { type: "blackhole", dst: "172.20.16.0/27", protocol: "bird" },
    { dst: "198.51.100.0/24", dev: "eth0", protocol: "bird" },
    { dst: "default", dev: "eth0", protocol: "bird" },
  ],
  "-6": [
    { dst: "fd42:d42::1", dev: "lo", protocol: "bird" },
    { dst: "fd42:9::/48", dev: "eth1", protocol: "bird" },
    { dst: "2001:db8::/32", dev: "eth2", protocol: "bird" },
  ],
};
const run: Run = async (program, args) => {
  const [json, family = "", ...query] = args;
  expect([program, json, ...query].join(" ")).toBe("ip -json route show table all proto bird");
  return processResult(JSON.stringify(routes[family]));
};
const participant = (name: string) => name.startsWith("dn42_");

test("names the interfaces of routes in the network that the packet filter does not know", async () => {
  expect(await findUnlistedInterfaces(run, participant)).toEqual([
    { code: "interfaces-unlisted", facts: { interfaces: ["eth1", "wg-per01", "wg-sin01"] } },
  ]);
});

const failWith = (cause: Error) => findUnlistedInterfaces(() => Promise.reject(cause), participant);

test("reports nothing if all are known, or the routes cannot be read", async () => {
  expect(await findUnlistedInterfaces(run, () => true)).toEqual([]);
  expect(await failWith(new ProcessError("no ip"))).toEqual([]);
  await expect(failWith(new TypeError("a fault"))).rejects.toThrow("a fault");
});

const result = processResult(JSON.stringify(routes["-4"]));

test.each([
  ["ip fails", { ...result, code: 1 }],
  ["its output is cut off", { ...result, isTruncated: true }],
  ["there are no routes, for which ip may print nothing", { ...result, stdout: "\n" }],
  ["a route has neither destination nor interface", { ...result, stdout: "[{}]" }],
])("reports nothing if %s", async (_, printed) => {
  expect(await findUnlistedInterfaces(async () => printed, participant)).toEqual([]);
});
