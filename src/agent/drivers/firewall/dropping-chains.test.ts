import { expect, test } from "vitest";
import { processResult } from "../../fixtures/process-result.ts";
import { ProcessError, type Run } from "#system/processes.ts";
import type { PeeringObservation } from "../router.ts";
import {
  describeDroppingChain,
  type DroppingChain,
  findBlockedSessions,
  findDroppingChains,
} from "./dropping-chains.ts";

const listed = (chains: readonly object[]): Run => {
  const nftables = [{ metainfo: { version: "1.0.6" } }, ...chains.map((chain) => ({ chain }))];
  return async (program, args) => {
    expect([program, ...args].join(" ")).toBe("nft --json list chains");
    return processResult(JSON.stringify({ nftables }));
  };
};
const base = { type: "filter", prio: 0 };

test("finds other programs' chains for incoming and forwarded packets whose policy is drop", async () => {
  const run = listed([
    { family: "ip", table: "filter", name: "INPUT", ...base, hook: "input", policy: "drop" },
    { family: "inet", table: "fw", name: "forward", ...base, hook: "forward", policy: "drop" },
    { family: "inet", table: "fw", name: "output", ...base, hook: "output", policy: "drop" },
    { family: "inet", table: "fw", name: "input", ...base, hook: "input", policy: "accept" },
    { family: "inet", table: "fw", name: "services" },
    { family: "inet", table: "peerdeck", name: "input", ...base, hook: "input", policy: "drop" },
    { family: "ip", table: "peerdeck", name: "input", ...base, hook: "input", policy: "drop" },
  ]);
  const found = await findDroppingChains(run);
  expect(found).toEqual([
    { name: "ip filter INPUT", hook: "input" },
    { name: "inet fw forward", hook: "forward" },
    { name: "ip peerdeck input", hook: "input" },
  ]);
  expect(found.slice(0, 2).map(describeDroppingChain)).toEqual([
    "Your chain ip filter INPUT drops incoming packets by default. Check that it accepts ICMP and TCP port 179 " +
      "from participants' interfaces (dn42_*), and the agent's port.",
    "Your chain inet fw forward drops forwarded packets by default. Check that it accepts packets between " +
      "participants' interfaces (dn42_*) and your own tunnels.",
  ]);
});

test("finds none without nft, and none that nft does not list; a fault of the agent is an error", async () => {
  await expect(findDroppingChains(() => Promise.reject(new TypeError("a fault")))).rejects.toThrow("a fault");
  expect(await findDroppingChains(() => Promise.reject(new ProcessError("no nft")))).toEqual([]);
  const result = processResult("", 1, "Operation not permitted");
  expect(await findDroppingChains(async () => result)).toEqual([]);
});

const input: DroppingChain = { name: "ip filter INPUT", hook: "input" };
const forward: DroppingChain = { name: "ip filter FORWARD", hook: "forward" };
const observed = (handshakeAgeSeconds: number | null, state: string): PeeringObservation => ({
  asn: "4242420001",
  rxBytes: 0,
  txBytes: 0,
  handshakeAgeSeconds,
  latencyMs: null,
  sessions: [{ name: "dn42_4242420001", state, detail: "", routes: [] }],
});

test.each([
  ["one session is established", [input], [observed(3, "Active"), observed(3, "Established")]],
  ["no tunnel is up", [input], [observed(null, "Active"), observed(181, "Active")]],
  ["only forwarded packets are dropped by default", [forward], [observed(3, "Active")]],
])("reports nothing if %s", (_, chains, peerings) => {
  expect(findBlockedSessions(chains, peerings)).toEqual([]);
});

test("reports all chains that drop incoming packets, and counts the tunnels that are up", () => {
  const second: DroppingChain = { name: "inet fw input", hook: "input" };
  const peerings = [3, 179, 180, null].map((age) => observed(age, "Active"));
  expect(findBlockedSessions([forward, input, second], peerings)).toEqual([
    { code: "sessions-blocked", facts: { tunnels: 2, chains: ["ip:filter:INPUT", "inet:fw:input"] } },
  ]);
});
