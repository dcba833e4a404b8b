/** What the network summary says about a node beyond its row in the table of nodes. */
import type { NetworkSummary, Plot } from "#contract/history.ts";
import { latencyBetween } from "../../api/network/latency-between.ts";
import type { NodeTableRow } from "#domain/plot.ts";
import { countOf, plural } from "#domain/text/plural.ts";
import { bubbleState, unknownWord } from "../../ui/feedback/status-bubble.tsx";
import type { Link, MapNode } from "./node-links.ts";

export interface NodeStates {
  readonly rows: readonly NodeTableRow[];
  /** Undefined until it is loaded, and if it cannot be loaded; null if the server observes no nodes. */
  readonly summary: NetworkSummary | null | undefined;
  readonly isLoading: boolean;
}

type Summary = NodeStates["summary"];

/** How a marker looks: the states of Home. Null if no server observes the nodes. */
export type MarkerState = "good" | "issues" | "down" | "unknown" | null;

/** @param summary undefined until it is loaded, null if the server has none */
export function markerState(node: string, { rows, summary }: NodeStates): MarkerState {
  if (summary === null) return null;
  const state = rows.find(({ name }) => name === node)?.state ?? null;
  return state === null || state === unknownWord ? "unknown" : bubbleState(state);
}

/** Why the state of a node is unknown, or what its problem is; empty if there is nothing to say, or it is not loaded yet. */
export function stateReason(node: string, states: NodeStates): string {
  const { summary, isLoading } = states;
  if (summary === undefined) return isLoading ? "" : "Its state could not be loaded.";
  const now = summary?.nodes.find((each) => each.node === node)?.now;
  if (now === "Down") return "The node does not reply.";
  return now === null ? "Not checked in the last five minutes." : problemOf(node, states);
}

/** What everyone may know of a node's problem, in a sentence; empty without one. */
export function problemOf(node: string, { summary }: NodeStates): string {
  return summary?.nodes.find((each) => each.node === node)?.problem ?? "";
}

const newPeersTexts: Readonly<Record<string, string>> = {
  full: "full",
  closed: "closed to new peerings",
  draining: "out of service soon",
};

/** "41 of 60", "60 of 60, full", or "41" without a limit; null if neither the number nor its effect is known. */
export function formatPeers({ peerings, capacity, newPeers }: NodeTableRow): string | null {
  const limit = newPeersTexts[newPeers ?? ""] ?? "";
  const isClosed = newPeers === "closed" || newPeers === "draining";
  const count = capacity === null || isClosed ? String(peerings) : `${peerings} of ${capacity}`;
  return [peerings === null ? "" : count, limit].filter((text) => text !== "").join(", ") || null;
}

/** The lowest and the highest round trip from a node to its neighbours: "78 to 154 ms"; null without any. */
export function describeLatencies(node: MapNode, links: readonly Link[], summary: Summary): string | null {
  const known = links
    .filter(({ from, to }) => from === node || to === node)
    .flatMap(({ from, to }) => latencyBetween(from.name, to.name, summary) ?? [])
    .map(Math.round);
  if (known.length === 0) return null;
  return formatRange(Math.min(...known), Math.max(...known), " ms");
}

/** "8 to 38%" */
export function formatCpu([min, max]: Plot): string {
  return formatRange(Math.round(min), Math.round(max), "%");
}

/** @param unit with the blank before it, if it has one */
function formatRange(min: number, max: number, unit: string): string {
  return min === max ? `${min}${unit}` : `${min} to ${max}${unit}`;
}

/** Summarizes the states: "5 of 6 nodes are up."; only their number if the states are not known. */
export function describeNodes(rows: readonly NodeTableRow[]): string {
  const all = rows.length;
  const nodes = countOf(all, "node");
  if (rows.every(({ state }) => state === null)) return `${nodes}.`;
  const up = rows.filter(({ state }) => state === "OK" || state === "Issues").length;
  if (up < all) return `${up} of ${nodes} ${plural(all, "is", "are")} up.`;
  return all === 1 ? "The node is up." : `All ${nodes} are up.`;
}
