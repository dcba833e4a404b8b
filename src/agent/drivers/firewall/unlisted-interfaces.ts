/**
 * Interfaces through which the node routes the network, but that the packet filter does not know. A node that is
 * configured for the map alone, as before decision 20, may have such links to other nodes.
 */
import { isInNetwork } from "#domain/address-ranges.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { parseAddress } from "#domain/prefix.ts";
import { ProcessError, type Run } from "#system/processes.ts";

/** A finding names the first of them. */
const maxInterfaces = 16;

interface ListedRoute {
  readonly dst?: string;
  readonly dev?: string;
  /** Instead of `dev`, for a route with several ways. */
  readonly nexthops?: ReadonlyArray<Pick<ListedRoute, "dev">>;
}

/**
 * Returns a finding if BIRD's routes of the network lead through interfaces that are not `known`. Routes of other
 * programs are not considered: the ranges of the network are private addresses, which a node may use elsewhere.
 */
export async function findUnlistedInterfaces(
  run: Run,
  known: (name: string) => boolean,
): Promise<readonly Finding[]> {
  const routes = await Promise.all(["-4", "-6"].map((family) => readRoutes(run, family)));
  const names = routes
    .flat()
    .filter(isRouteInNetwork)
    .flatMap((route) => route.nexthops ?? [route])
    .flatMap(({ dev }) => (dev === undefined || dev === "lo" || known(dev) ? [] : [dev]));
  const unlisted = Array.from(new Set(names)).toSorted((a, b) => a.localeCompare(b));
  if (unlisted.length === 0) return [];
  return [{ code: "interfaces-unlisted", facts: { interfaces: unlisted.slice(0, maxInterfaces) } }];
}

async function readRoutes(run: Run, family: string): Promise<readonly ListedRoute[]> {
  const args = ["-json", family, "route", "show", "table", "all", "proto", "bird"];
  const result = await run("ip", args).catch((error: unknown) => {
    if (error instanceof ProcessError) return null;
    throw error;
  });
  if (result?.code !== 0 || result.isTruncated || result.stdout.trim() === "") return [];
  return JSON.parse(result.stdout) as readonly ListedRoute[];
}

function isRouteInNetwork({ dst = "" }: ListedRoute): boolean {
  const address = parseAddress(dst.split("/")[0] ?? "");
  return address !== null && isInNetwork(address);
}
