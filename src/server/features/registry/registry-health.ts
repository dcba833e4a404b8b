import { Gauge, Registry as MetricsRegistry } from "prom-client";
import type { RegistryClone } from "../../registry/clone/registry-clone.ts";
import type { Registry, RegistryAge } from "../../registry/registry.ts";

/** Days after which the operator should look, long before links are refused. */
const issueDays = 1;

/** Returns what the operator should know about the registry's age; null if it is current. */
function describeRegistryIssue({ days, stale }: RegistryAge): string | null {
  if (days === null) return stale ? "The registry is missing. No links are mailed." : null;
  if (days <= issueDays) return null;
  const hours = Math.floor(days * 24);
  const consequence = stale ? " It is outdated, so no links are mailed." : "";
  return `The registry was last fetched ${hours} hours ago.${consequence}`;
}

/**
 * Renders the health of the server as text: `ok`, or `issues` and one sentence per line. The server keeps serving with
 * an old registry, so the status of the response is 200 in both cases.
 */
export async function renderHealth(
  registry: Pick<Registry, "readAge">,
  clone: Pick<RegistryClone, "readState"> | null,
): Promise<string> {
  const ageIssue = describeRegistryIssue(await registry.readAge());
  const isRejected = clone !== null && (await clone.readState()).isRejected;
  const issues = [
    ...(ageIssue === null ? [] : [ageIssue]),
    ...(isRejected ? ["The registry's fetched history was not accepted. The log says why."] : []),
  ];
  return `${[issues.length === 0 ? "ok" : "issues", ...issues].join("\n")}\n`;
}

/** Renders the server's metrics in the Prometheus text format. */
export async function renderMetrics(
  registry: Pick<Registry, "readAge">,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const metrics = new MetricsRegistry();
  const { days, stale } = await registry.readAge();
  new Gauge({
    name: "peerdeck_registry_stale",
    help: "1 if the registry is missing or too old, so that no links are mailed.",
    registers: [metrics],
  }).set(Number(stale));
  if (days !== null) {
    new Gauge({
      name: "peerdeck_registry_age_seconds",
      help: "Time since the last fetch of the registry that succeeded.",
      registers: [metrics],
    }).set(Math.round(days * 86_400));
  }
  return { text: await metrics.metrics(), contentType: metrics.contentType };
}
