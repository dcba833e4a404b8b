import { expect, test } from "vitest";
import { processResult } from "../../fixtures/process-result.ts";
import type { Run } from "#system/processes.ts";
import { type LinksDeps, readLinks } from "./read-links.ts";

type ReadForeign = LinksDeps["wireguard"]["readForeign"];

/** What `ip -json link show` prints of tunnels of wireguard-go, whose operational state is always unknown. */
const shown: Readonly<Record<string, readonly string[]>> = {
  "wg-sin01": ["POINTOPOINT", "NOARP", "UP", "LOWER_UP"],
  "wg-za01": ["POINTOPOINT", "NOARP", "UP", "LOWER_UP"],
  "wg-fra01": ["POINTOPOINT", "NOARP"],
};
const run: Run = async (program, args) => {
  const name = args.at(-1) ?? "";
  expect([program, ...args].join(" ")).toBe(`ip -json link show dev ${name}`);
  const flags = shown[name];
  if (!flags) return processResult("", 1, `Device "${name}" does not exist.`);
  return processResult(JSON.stringify([{ ifname: name, flags, mtu: 1420, operstate: "UNKNOWN" }]));
};

const now = Math.floor(Date.now() / 1000);
const silent = { latestHandshake: null };
const up = { peers: [silent, { latestHandshake: now }] };
const down = { peers: [silent, { latestHandshake: now - 600 }] };

test("each tunnel has its state, and the round trip of its interface; without wg, a ping and the interface say it", async () => {
  const links = await readLinks({
    node: "syd01",
    tunnels: {
      per01: { interface: "wg-per01", address: "fe80::1" },
      sin01: { interface: "wg-sin01", address: null },
      de01: { interface: "wg-gone", address: "fe80::2" },
      ny01: { interface: "wg-ny01", address: "fe80::3" },
      za01: { interface: "wg-za01", address: "fe80::4" },
      fra01: { interface: "wg-fra01", address: "fe80::5" },
    },
    wireguard: {
      readForeign: async (names) => {
        expect([...names]).toEqual(["wg-per01", "wg-sin01", "wg-gone", "wg-ny01", "wg-za01", "wg-fra01"]);
        return new Map([
          ["wg-per01", up],
          ["wg-ny01", down],
        ]) as unknown as Awaited<ReturnType<ReadForeign>>;
      },
    },
    run,
    // The last probe of wg-fra01 was before its interface was set down.
    latency: { of: (name) => ({ "wg-per01": 47.5, "wg-za01": 160.2, "wg-fra01": 12 })[name] ?? null },
  });
  expect(links).toEqual([
    { from: "syd01", to: "per01", status: "up", latencyMs: 47.5 },
    { from: "syd01", to: "sin01", status: "unknown", latencyMs: null },
    { from: "syd01", to: "de01", status: "down", latencyMs: null },
    { from: "syd01", to: "ny01", status: "down", latencyMs: null },
    { from: "syd01", to: "za01", status: "up", latencyMs: 160.2 },
    { from: "syd01", to: "fra01", status: "down", latencyMs: 12 },
  ]);
});

function fail(): never {
  throw new Error("nothing is to be read");
}

test("a node without tunnels to others has no links, and reads nothing", async () => {
  const wireguard = { readForeign: fail };
  expect(
    await readLinks({ node: "syd01", tunnels: {}, wireguard, run: fail, latency: { of: fail } }),
  ).toEqual([]);
});
