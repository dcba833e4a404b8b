import type { Finding } from "#domain/findings/findings.ts";

/** Why packets are not forwarded, and whose. */
export interface ForwardingFault {
  readonly finding: Finding;
  /** The AS numbers of the peerings that it concerns; "all" if it concerns the whole node, "none" if packets get through. */
  readonly concerns: ReadonlySet<string> | "all" | "none";
}

/** The most values of one kind that a finding names. */
export const maxNamed = 8;

export function ofNode(finding: Finding): ForwardingFault {
  return { finding, concerns: "all" };
}

/** What the operator should know, while packets get through. */
export function ofOperator(finding: Finding): ForwardingFault {
  return { finding, concerns: "none" };
}

/** Whether a peering's packets are not forwarded. */
export function isConcerned(faults: readonly ForwardingFault[], asn: string): boolean {
  return faults.some(({ concerns }) =>
    typeof concerns === "string" ? concerns === "all" : concerns.has(asn),
  );
}
