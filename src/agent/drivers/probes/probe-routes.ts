/** Where the kernel would send probes. One command asks for all of them. */
import { ProcessError, type Run } from "#system/processes.ts";
import { addressText, type ProbeTarget } from "./probe-target.ts";

/** A target whose packets leave through its own interface, and the address from which the kernel would send them. */
export interface RoutedTarget {
  readonly target: ProbeTarget;
  readonly source: string;
}

interface ShownRoute {
  readonly dst?: string;
  readonly type?: string;
  readonly dev?: string;
  readonly prefsrc?: string;
}

/** Returns the targets to which the route leads through their own interface. */
export async function findRouted(
  run: Run,
  targets: readonly ProbeTarget[],
): Promise<readonly RoutedTarget[]> {
  if (targets.length === 0) return [];
  const input = targets.map((target) => `${question(target)}\n`).join("");
  const { stdout, stderr } = await run("ip", ["-json", "-force", "-batch", "-"], { input });
  // Lines of the input that failed: there is no route, no interface, or the node does not have the source.
  const failed = new Set(
    Array.from(stderr.matchAll(/^Command failed -:(\d+)/gm), ([, line]) => Number(line)),
  );
  const asked = targets.filter((_, index) => !failed.has(index + 1));
  const routes = parseRoutes(stdout);
  if (routes.length !== asked.length)
    throw new ProcessError(`ip printed ${routes.length} of ${asked.length} routes: ${stderr.trim()}`);
  return asked.flatMap((target, index) => {
    const { type, dev, prefsrc } = routes[index] ?? {};
    if ((type !== undefined && type !== "unicast") || dev !== target.interfaceName) return [];
    return [{ target, source: target.source ?? prefsrc ?? "" }];
  });
}

function question(target: ProbeTarget): string {
  const { interfaceName, source, address } = target;
  const from = source === null ? "" : ` from ${source}`;
  const hasZone = addressText(target) !== address;
  return `route get ${address}${from}${hasZone ? ` oif ${interfaceName}` : ""}`;
}

/** Parses the list of routes that `ip` prints for each line of its input; those of failed lines are empty or missing. */
function parseRoutes(stdout: string): readonly ShownRoute[] {
  return stdout
    .split(/(?<=\])\s*(?=\[)/)
    .filter((text) => text.trim() !== "")
    .flatMap((text) => JSON.parse(text) as readonly ShownRoute[]);
}
