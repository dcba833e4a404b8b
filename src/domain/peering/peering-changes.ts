import type { PeeringRequest } from "./check-peer-update.ts";

/** A value that a submit changed, in words. Null: the peering did not exist before, or does not exist after it. */
export interface PeeringChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Field = Exclude<keyof PeeringRequest, "asn">;

const fieldNames: Readonly<Record<Field, string>> = {
  addressFamily: "address family",
  extendedNextHop: "extended next hop",
  endpointHost: "public IP or hostname",
  endpointPort: "port",
  publicKey: "public key",
  peerIpv4: "IPv4 tunnel address",
  peerIpv6: "IPv6 tunnel address",
  customLocalIpv6: "node's IPv6 tunnel address",
};

/** Lists the values that differ between two versions of a peering, in the order of the form. */
export function listPeeringChanges(
  before: PeeringRequest | null,
  after: PeeringRequest | null,
): readonly PeeringChange[] {
  return (Object.keys(fieldNames) as Field[])
    .filter((field) => (before?.[field] ?? null) !== (after?.[field] ?? null))
    .map((field) => ({
      field: fieldNames[field],
      before: before && formatValue(field, before[field]),
      after: after && formatValue(field, after[field]),
    }));
}

function formatValue(field: Field, value: PeeringRequest[Field]): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (value === null) return field === "customLocalIpv6" ? "default" : "none";
  return String(value);
}
