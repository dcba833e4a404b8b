import type { PublicPeering } from "#contract/agent.ts";
import { toPrintableLine } from "#system/printable-text.ts";
import { listDifferences } from "../conflicts/peering-values.ts";
import type { RecoveryPlan } from "./plan-recovery.ts";
import { countOf } from "#domain/text/plural.ts";

/** Describes for the operator what the database takes over from a node. */
export function describePlan(plan: RecoveryPlan, host: string): string {
  const { add, change, remove, unchanged, obstacles } = plan;
  const lines = [
    ...add.map(({ peering }) => `add     ${describePeering(peering)}`),
    ...change.map(
      ({ before, after }) =>
        `change  AS${after.asn}: ${describeChange(before.peering, after.peering) || "only its generation"}`,
    ),
    ...[...add, ...change.map(({ after }) => after)]
      .filter(({ request }) => request.presharedKey === "unknown")
      .map(
        ({ asn }) =>
          `KEY     AS${asn}: its pre-shared key is on the node only. The tunnel works until the peering is deployed again: ask the participant to enter the key under Change your details.`,
      ),
    ...remove.map(({ asn }) => `remove  AS${asn}: deleted on the node`),
    ...(plan.ignored === 0
      ? []
      : [`IGNORED ${plan.ignored} entries in the node's lists are invalid. The node may be compromised.`]),
    `${countOf(unchanged, "peering is", "peerings are")} the same.`,
    ...obstacles.map((obstacle) => `BLOCKED ${obstacle}`),
    ...(obstacles.length === 0 ? [] : ["Nothing is taken over from this node until that is solved."]),
  ];
  return [host, ...lines.map((line) => `  ${toPrintableLine(line)}`)].join("\n");
}

export function describePeering(peering: PublicPeering): string {
  const { asn, addressFamily, endpointHost, endpointPort, listenPort, peerIpv4, peerIpv6 } = peering;
  const endpoint = endpointHost === null ? "without an endpoint" : `${endpointHost}:${endpointPort}`;
  const families = addressFamily === "Both" ? "IPv4 and IPv6" : addressFamily;
  const addresses = [peerIpv4, peerIpv6].filter((address) => address !== null).join(", ");
  return toPrintableLine(`AS${asn}: ${families}, ${endpoint}, UDP port ${listenPort}, ${addresses}`);
}

function describeChange(before: PublicPeering, after: PublicPeering): string {
  return listDifferences(before, after)
    .map((key) => `${key} ${before[key] ?? "none"} → ${after[key] ?? "none"}`)
    .join(", ");
}
