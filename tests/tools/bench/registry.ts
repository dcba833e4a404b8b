/**
 * `npm run bench:registry`: measures the CPU time of explaining 200 refused prefixes, with a generated registry of 2,500
 * networks. The first request after a start or a new commit reads the files; later ones find them in memory.
 *
 * Prints figures without asserting them. Compare the ratio: both kinds are measured in turn.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { RefusedRouteFact, RefusedRouteFacts } from "#contract/call-tables/refused-route-facts.ts";
import { presentRefusedRoutes } from "#server/features/refused-routes/handlers.ts";
import { writeRegistryFiles } from "#server/registry/fixtures/registry-files.ts";
import { createRegistry } from "#server/registry/registry.ts";
import { networkOf, objectsOf } from "../../support/generated-registry.ts";
import { formatMs, formatTable, measureCpu, median, print, worst } from "./figures.ts";

const prefixes = 200;
const roaInvalid = 6;

const { values } = parseArgs({
  options: { runs: { type: "string", default: "20" }, networks: { type: "string", default: "2500" } },
});
const networks = Number(values.networks);

/** A route of another network, half of them of each family. */
function refusedRoute(index: number): RefusedRouteFact {
  const { ipv4, ipv6 } = networkOf(index * 12 + 7);
  const { asn } = networkOf(index);
  const route = { reason: roaInvalid, origin: asn, asPath: asn };
  return index % 2 === 0
    ? { ...route, prefix: `${ipv4}/28`, family: "IPv4" }
    : { ...route, prefix: `${ipv6}/64`, family: "IPv6" };
}

const half = prefixes / 2;
const facts: RefusedRouteFacts = {
  routes: Array.from({ length: prefixes }, (_, index) => refusedRoute(index)),
  totals: { ipv4: half, ipv6: half },
  limits: [],
};

const folder = await mkdtemp(join(tmpdir(), "peerdeck-registry-bench-"));
try {
  const wide = { "inetnum/172.20.0.0_14": "mnt-by: DN42-MNT\n", "inet6num/fd00::_8": "mnt-by: DN42-MNT\n" };
  await writeRegistryFiles(folder, wide);
  for (let index = 0; index < networks; index += 1) await writeRegistryFiles(folder, objectsOf(index));
  const open = () =>
    createRegistry({
      source: {
        locate: async () => ({ path: folder, isImmutable: true, fetchedAt: null }),
        refresh: async () => true,
      },
      maxAgeDays: 7,
      clock: Date.now,
    });
  const measure = (registry: ReturnType<typeof open>) =>
    measureCpu(() => presentRefusedRoutes("node", facts, registry));
  const cold: number[] = [];
  const warm: number[] = [];
  await measure(open());
  for (let run = 0; run < Number(values.runs); run += 1) {
    const registry = open();
    cold.push(await measure(registry));
    warm.push(await measure(registry));
  }
  print(
    formatTable([
      [`CPU time of ${prefixes} prefixes, ms`, "median", "worst"],
      ["first request", formatMs(median(cold)), formatMs(worst(cold))],
      ["later requests", formatMs(median(warm)), formatMs(worst(warm))],
    ]),
  );
  print(`  ratio: ${(median(warm) / median(cold)).toFixed(3)}\n`);
} finally {
  await rm(folder, { recursive: true });
}
