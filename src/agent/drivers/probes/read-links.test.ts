import { expect, test } from "vitest";
import { processResult } from "../../fixtures/process-result.ts";
import type { Run } from "#system/processes.ts";
import type { ProbeResult } from "../probe-results.ts";
import { findLinkFaults, type LinksDeps, readLinks } from "./read-links.ts";

type ReadForeign = LinksDeps["wireguard"]["readForeign"];

/** What `ip -json link show` prints of tunnels of wireguard-go, whose operational state is always unknown. */
const shown: Readonly<Record<string, readonly string[]>> = {
  "wg-sin01": ["POINTOPOINT", "NOARP", "UP", "LOWER_UP"],
  "wg-za01": ["POINTOPOINT", "NOARP", "UP", "LOWER_UP"],
  "wg-za02": ["POINTOPOINT", "NOARP", "UP", "LOWER_UP"],
  "wg-fra01": ["POINTOPOINT", "NOARP"],
};
const run: Run = async (program, args) => {
  const name = args.at(-1) ?? "";
  expect([program, ...args].join(" ")).toBe(`ip -json link show dev ${name}`);
  if (name === "wg-unread") return processResult("", 2, "Cannot send dump request: Interrupted system call");
  const flags = shown[name];
  if (!flags) return processResult("", 1, `Device "${name}" does not exist.`);
  return processResult(JSON.stringify([{ ifname: name, flags, mtu: 1420, operstate: "UNKNOWN" }]));
};

const now = Math.floor(Date.now() / 1000);

const resultOf = (changed: Partial<ProbeResult>): ProbeResult => ({
  family: "IPv6",
  source: "fd42:d42::1",
  target: "fd42:d42::2",
  latencyMs: 47.5,
  sent: 20,
  lost: 0,
  missesInRow: 0,
  ...changed,
});
const reply = (latencyMs: number) => resultOf({ latencyMs });
const silent = resultOf({ latencyMs: null, sent: 20, lost: 20, missesInRow: 20 });
/** Probes from node to node, once a minute. */
const misses = (missesInRow: number) => resultOf({ sent: 5, lost: missesInRow, missesInRow });
const lossy = resultOf({ lost: 5 });
const known = { peers: [{ latestHandshake: null }, { latestHandshake: now }] };
const stale = { peers: [{ latestHandshake: null }, { latestHandshake: now - 600 }] };

const factsOf = (name: string) => ({ node: `to ${name}`, interface: name });

/** The state of each tunnel in WireGuard, if it can be read, what probes say, and what the map shows. */
const cases: ReadonlyArray<
  readonly [
    name: string,
    state: object | null,
    end: ProbeResult | undefined,
    ways: readonly ProbeResult[],
    status: string,
  ]
> = [
  ["wg-per01", known, reply(47.5), [misses(0)], "up"],
  ["wg-ny01", stale, undefined, [], "down"],
  // Without an address, and nothing that could be read.
  ["wg-sin01", null, undefined, [], "unknown"],
  ["wg-gone", null, silent, [], "down"],
  ["wg-za01", null, reply(160.2), [], "up"],
  ["wg-za02", null, resultOf({ missesInRow: 2, lost: 2 }), [], "unknown"],
  ["wg-unread", null, undefined, [], "unknown"],
  // The last probe was before its interface was set down.
  ["wg-fra01", null, reply(12), [misses(2)], "down"],
  ["wg-miss1", known, reply(1), [misses(1)], "up"],
  ["wg-miss2", known, reply(1), [misses(0), misses(2)], "blocked"],
  ["wg-lossy", known, lossy, [misses(2)], "up"],
  ["wg-silent", known, silent, [misses(5)], "up"],
  // The end of the tunnel has no address that could be probed.
  ["wg-alone2", known, undefined, [misses(2)], "up"],
  ["wg-alone3", known, undefined, [misses(3)], "blocked"],
];

test("each link has its state and round trip, and one whose state is unknown is not faulty", async () => {
  const tunnels = Object.fromEntries(
    cases.map(([name]) => [`to ${name}`, { interface: name, address: null }]),
  );
  const links = await readLinks({
    node: "syd01",
    tunnels,
    wireguard: {
      readForeign: async (names) => {
        expect([...names]).toEqual(cases.map(([name]) => name));
        const states = cases.flatMap(([name, state]) => (state ? [[name, state] as const] : []));
        return new Map(states) as unknown as Awaited<ReturnType<ReadForeign>>;
      },
    },
    run,
    probesOf: (_, { interface: name }) => {
      const [, , end, ways = []] = cases.find(([one]) => one === name) ?? [];
      return { end, ways };
    },
  });
  expect(links.map(({ link }) => link)).toEqual(
    cases.map(([name, , end, , status]) => ({
      from: "syd01",
      to: `to ${name}`,
      status,
      latencyMs: end?.latencyMs ?? null,
    })),
  );
  const addresses = { source: "fd42:d42::1", address: "fd42:d42::2" };
  expect(findLinkFaults(links, tunnels)).toEqual([
    { code: "link-down", facts: factsOf("wg-ny01") },
    { code: "link-down", facts: factsOf("wg-gone") },
    { code: "link-down", facts: factsOf("wg-fra01") },
    { code: "link-blocked", facts: { ...factsOf("wg-miss2"), ...addresses } },
    { code: "link-blocked", facts: { ...factsOf("wg-alone3"), ...addresses } },
  ]);
});

function fail(): never {
  throw new Error("nothing is to be read");
}

test("a node without tunnels to others has no links, and reads nothing", async () => {
  const wireguard = { readForeign: fail };
  expect(await readLinks({ node: "syd01", tunnels: {}, wireguard, run: fail, probesOf: fail })).toEqual([]);
});
