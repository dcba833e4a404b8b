/**
 * The past of a simulated node. It follows from the node's name and the time alone, so that it is the same after every
 * start of the demo, and goes on where the simulation begins.
 */
import { usageAt } from "../../agent/drivers/simulated/host.ts";
import type { SimulatedRoutes } from "../../agent/drivers/simulated/routes.ts";
import type { NodeUsage } from "../../contract/agent.ts";
import { dayMs } from "../../contract/history.ts";
import { between, seeded } from "../../agent/drivers/simulated/seed.ts";
import { minuteMs } from "../../server/features/observations/retention.ts";
import type { ObservedState } from "../../server/features/observations/store-samples.ts";

const routesMs = 10 * minuteMs;

export interface PastSample {
  readonly state: ObservedState;
  /** Null while the node is down, as in a real observation. */
  readonly usage: NodeUsage | null;
}

export interface SimulatedPast {
  readonly stateAt: (at: number) => ObservedState;
  readonly sampleAt: (at: number) => PastSample;
}

/** A time during which the node was not OK. */
interface Incident {
  readonly from: number;
  readonly to: number;
  readonly state: ObservedState;
}

/** @param countRoutes the number of routes in the node's table */
export function createSimulatedPast(
  node: string,
  countRoutes: (at: number) => NodeUsage["routes"],
): SimulatedPast {
  const incidentsByDay = new Map<number, readonly Incident[]>();

  function stateAt(at: number): ObservedState {
    const day = Math.floor(at / dayMs);
    let incidents = incidentsByDay.get(day);
    if (!incidents) incidentsByDay.set(day, (incidents = incidentsOf(node, day)));
    for (const { from, to, state } of incidents) if (from <= at && at < to) return state;
    return "OK";
  }

  return {
    stateAt,
    sampleAt: (at) => {
      const state = stateAt(at);
      const usage =
        state === "Down" ? null : { ...usageAt(node, at, state === "Issues"), routes: countRoutes(at) };
      return { state, usage };
    },
  };
}

/** Counts the routes in a node's table without peerings. It changes every ten minutes, and is the same on every node. */
export function createRouteCounter({
  table,
}: Pick<SimulatedRoutes, "table">): (at: number) => NodeUsage["routes"] {
  const countsByWindow = new Map<number, NodeUsage["routes"]>();
  return (at) => {
    const window = Math.floor(at / routesMs);
    const known = countsByWindow.get(window);
    if (known) return known;
    const count = (family: "IPv4" | "IPv6") => table(family, { now: at, peerings: [] }).length;
    const counts = { ipv4: count("IPv4"), ipv6: count("IPv6") };
    countsByWindow.set(window, counts);
    return counts;
  };
}

/** On one of sixteen days a node does not reply for some minutes, and on one of twelve it is under heavy load. */
function incidentsOf(node: string, day: number): readonly Incident[] {
  const incident = (
    state: ObservedState,
    share: number,
    least: number,
    most: number,
  ): readonly Incident[] => {
    if (seeded(state, node, day) >= share) return [];
    const minutes = between(least, most, state, "length", node, day);
    const from = day * dayMs + between(0, dayMs - minutes * minuteMs, state, "start", node, day);
    return [{ from, to: from + minutes * minuteMs, state }];
  };
  return [...incident("Down", 1 / 16, 4, 50), ...incident("Issues", 1 / 12, 15, 120)];
}
