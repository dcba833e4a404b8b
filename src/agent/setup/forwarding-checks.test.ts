import { expect, test } from "vitest";
import { replyOf } from "../fixtures/fake-bird.ts";
import { processResult } from "../fixtures/process-result.ts";
import type { Run } from "../../system/processes.ts";
import { checkLinks } from "./forwarding-checks.ts";

const session = (name: string, state: string, address: string) => [
  `1002-${name} BGP        ---        ${state}     10:48:37.482  Active        Socket: Connection closed`,
  "1006-  BGP state:          Active",
  `     Neighbor address: ${address}`,
  "     Neighbor AS:      4242429998",
];
const reply = replyOf(
  "1002-device1    Device     ---        up     10:48:36.476  ",
  ...session("dn42_4242420001_v4", "start", "172.20.1.1"),
  ...session("by_route", "start", "172.20.98.1"),
  ...session("by_zone", "up", "fe80::9%wg-peer2"),
  ...session("listed", "start", "fe80::9%wg-peer3"),
  ...session("disabled", "down", "fe80::9%wg-peer4"),
  ...session("unrouted", "start", "fd42:9::1"),
  ...session("outside", "start", "198.51.100.1"),
  "0000 ",
);
const run: Run = async (program, args) => {
  const command = [program, ...args].join(" ");
  if (command.includes("show table all proto bird")) return processResult("[]");
  if (command === "ip -json route get fd42:9::1") return processResult("", 2, "Network is unreachable");
  expect(command).toBe("ip -json route get 172.20.98.1");
  return processResult(
    '[{"dst":"172.20.98.1","dev":"wg-peer1","prefsrc":"172.20.16.9","flags":[],"uid":0,"cache":[]}]',
  );
};

test("names the interfaces of the owner's sessions that the packet filter does not know", async () => {
  const problems = await checkLinks({
    run,
    bird: async () => reply,
    listed: ["wg-peer3"],
    participants: ["dn42_4242420001"],
  });
  expect(problems.map((text) => text.split(",")[0])).toEqual([
    "BIRD's session by_route uses wg-peer1",
    "BIRD's session by_zone uses wg-peer2",
  ]);
});
