/** Values for the kit: every state once, and the longest texts. */
import type { PeeringPath, SegmentState } from "../../src/domain/peering/peering-path.ts";
import { pathSegments } from "../../src/domain/peering/peering-path.ts";
import type { Series } from "../../src/domain/plot.ts";
import { halfHourMs } from "../../src/contract/history.ts";
import type { NodeTableRow } from "../../src/domain/plot.ts";

export const from = Date.UTC(2026, 10, 21, 2);
export const stepMs = halfHourMs;

export const segments = (...states: readonly SegmentState[]): PeeringPath["segments"] =>
  pathSegments.map((name, index) => ({ name, state: states[index] ?? "unknown" }));

/** 48 half hours from a function of their index. */
export const halfHours = (share: (index: number) => number | null): Series =>
  Array.from({ length: 48 }, (_, index) => share(index));

/** A value between -1 and 1 that looks random and is the same on every visit. */
export const noise = (index: number): number => (Math.sin(index * 12.9898) * 43_758.5453) % 1;

export const uptimes: ReadonlyArray<readonly [title: string, shares: Series]> = [
  ["Up", halfHours(() => 1)],
  ["Down once", halfHours((index) => (index === 31 ? 0.7 : 1))],
  ["Down now", halfHours((index) => (index > 36 ? 0 : 1))],
  ["Down all the time", halfHours(() => 0)],
  ["Unstable", halfHours((index) => (index % 5 === 0 ? 0.4 : index % 7 === 0 ? 0 : 1))],
  ["Gaps", halfHours((index) => (index % 12 < 4 ? null : 1))],
  ["Monitored recently", halfHours((index) => (index < 42 ? null : 1))],
  ["No data", halfHours(() => null)],
];

export const sparks: ReadonlyArray<readonly [title: string, values: Series]> = [
  ["13.8 to 17.2 ms", halfHours((index) => 15.5 + 1.7 * noise(index))],
  ["Gaps", halfHours((index) => (index % 16 < 4 ? null : 15 + noise(index)))],
  ["One value", halfHours((index) => (index === 20 ? 14 : null))],
  ["Always 14 ms", halfHours(() => 14)],
  ["0 to 999,999,999,999 B", halfHours((index) => (index === 40 ? 999_999_999_999 : 0))],
  ["No data", halfHours(() => null)],
];

const base: NodeTableRow = {
  name: "de01",
  domainSuffix: ".example.net",
  place: "Frankfurt",
  state: "OK",
  shares: halfHours(() => 1),
  from,
  uptime: 0.9998,
  peerings: 97,
  capacity: null,
  newPeers: "open",
};

export const nodes: readonly NodeTableRow[] = [
  base,
  {
    ...base,
    name: "ny01",
    place: "New York",
    state: "Issues",
    uptime: 1,
    peerings: 64,
    capacity: 64,
    newPeers: "full",
  },
  {
    ...base,
    name: "za01",
    place: "Johannesburg",
    state: "Down",
    shares: halfHours((index) => (index > 44 ? 0 : 1)),
    uptime: 0.9741,
    peerings: 9,
  },
  {
    ...base,
    name: "sin01",
    place: "Singapore",
    state: "Unknown",
    shares: null,
    uptime: null,
    peerings: null,
    newPeers: null,
  },
  {
    ...base,
    name: "twenty-letters-01-ab",
    place: "San Fernando del Valle de Catamarca, ARG",
    peerings: 123_456,
    capacity: 999_999,
  },
  {
    ...base,
    name: "ir01",
    place: "تهران، ایران",
    shares: halfHours((index) => (index % 9 === 0 ? null : 1)),
  },
];

const noHistory = { state: null, shares: null, uptime: null, peerings: null, newPeers: null } as const;

export const plainNodes: readonly NodeTableRow[] = nodes.map((node) => Object.assign({}, node, noHistory));

export const sixtyNodes: readonly NodeTableRow[] = Array.from({ length: 60 }, (_, index) => ({
  ...base,
  name: `node${String(index + 1).padStart(2, "0")}`,
  place: `Place ${index + 1}`,
  peerings: index * 7,
}));
