/** Where the kernel would send probes. */
import type { Run } from "#system/processes.ts";
import { askRoutes, type RouteQuestion } from "../ask-routes.ts";
import { addressText, type ProbeTarget } from "./probe-target.ts";

/** A target whose packets leave through its own interface, and the address from which the kernel would send them. */
export interface RoutedTarget {
  readonly target: ProbeTarget;
  readonly source: string;
}

/** Returns the targets to which the route leads through their own interface. One command asks for all of them. */
export async function findRouted(
  run: Run,
  targets: readonly ProbeTarget[],
): Promise<readonly RoutedTarget[]> {
  if (targets.length === 0) return [];
  const answers = await askRoutes(run, targets.map(questionOf));
  return targets.flatMap((target, index) => {
    const answer = answers[index];
    if (answer?.kind !== "forwarded" || answer.dev !== target.interfaceName) return [];
    return [{ target, source: target.source ?? answer.source ?? "" }];
  });
}

function questionOf(target: ProbeTarget): RouteQuestion {
  const { interfaceName, source, address } = target;
  return {
    to: address,
    ...(source !== null && { from: source }),
    ...(addressText(target) !== address && { oif: interfaceName }),
  };
}
