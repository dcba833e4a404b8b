import { expect, test } from "vitest";
import type { Run } from "../../processes.ts";
import { type LinksDeps, readLinks } from "./read-links.ts";

type ReadForeign = LinksDeps["wireguard"]["readForeign"];

const exists: Run = async (_program, args) => ({
  code: args.at(-1) === "wg-gone" ? 1 : 0,
  stdout: "",
  stderr: "",
  isTruncated: false,
});

const up = { peers: [{ latestHandshake: Math.floor(Date.now() / 1000) }] };

test("each tunnel has its state, and the round trip of its interface", async () => {
  const links = await readLinks({
    node: "syd01",
    tunnels: {
      per01: { interface: "wg-per01", address: "fe80::1" },
      sin01: { interface: "wg-sin01", address: null },
      de01: { interface: "wg-gone", address: "fe80::2" },
    },
    wireguard: {
      readForeign: async (names) => {
        expect([...names]).toEqual(["wg-per01", "wg-sin01", "wg-gone"]);
        return new Map([["wg-per01", up]]) as unknown as Awaited<ReturnType<ReadForeign>>;
      },
    },
    run: exists,
    latency: { of: (name) => (name === "wg-per01" ? 47.5 : null) },
  });
  expect(links).toEqual([
    { from: "syd01", to: "per01", status: "up", latencyMs: 47.5 },
    { from: "syd01", to: "sin01", status: "unknown", latencyMs: null },
    { from: "syd01", to: "de01", status: "down", latencyMs: null },
  ]);
});
