import { expect, test } from "vitest";
import { processResult } from "../../fixtures/process-result.ts";
import type { Run } from "#system/processes.ts";
import { type LinksDeps, readLinks } from "./read-links.ts";

type ReadForeign = LinksDeps["wireguard"]["readForeign"];

const exists: Run = async (program, args) =>
  processResult("", [program, ...args].join(" ") === "ip link show dev wg-sin01" ? 0 : 1);

const now = Math.floor(Date.now() / 1000);
const silent = { latestHandshake: null };
const up = { peers: [silent, { latestHandshake: now }] };
const down = { peers: [silent, { latestHandshake: now - 600 }] };

test("each tunnel has its state, and the round trip of its interface", async () => {
  const links = await readLinks({
    node: "syd01",
    tunnels: {
      per01: { interface: "wg-per01", address: "fe80::1" },
      sin01: { interface: "wg-sin01", address: null },
      de01: { interface: "wg-gone", address: "fe80::2" },
      ny01: { interface: "wg-ny01", address: "fe80::3" },
    },
    wireguard: {
      readForeign: async (names) => {
        expect([...names]).toEqual(["wg-per01", "wg-sin01", "wg-gone", "wg-ny01"]);
        return new Map([
          ["wg-per01", up],
          ["wg-ny01", down],
        ]) as unknown as Awaited<ReturnType<ReadForeign>>;
      },
    },
    run: exists,
    latency: { of: (name) => (name === "wg-per01" ? 47.5 : null) },
  });
  expect(links).toEqual([
    { from: "syd01", to: "per01", status: "up", latencyMs: 47.5 },
    { from: "syd01", to: "sin01", status: "unknown", latencyMs: null },
    { from: "syd01", to: "de01", status: "down", latencyMs: null },
    { from: "syd01", to: "ny01", status: "down", latencyMs: null },
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
