import type { PeeringRequest } from "./peering-request.ts";
import type { PeerUpdateField } from "#contract/entities.ts";
import type { Interruption, PeeringField } from "./field-row.ts";
import { fieldOrder, type RequestValue } from "./field-lists.ts";
import { peeringFields } from "./peering-fields.ts";

/** A value that a submit changed, in words. Null: the peering did not exist before, or does not exist after it. */
export interface PeeringChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Value = Exclude<keyof PeeringRequest, "asn">;

/** By the value of the request. The type check reports a value without a field. */
const fields: Readonly<Record<Value, PeeringField>> = fieldsByValue();

function fieldsByValue(): Record<RequestValue, PeeringField> {
  const rows = fieldOrder.map((field): PeeringField => peeringFields[field]);
  return Object.fromEntries(
    rows.flatMap((row) => (row.request === null ? [] : [[row.request, row] as const])),
  ) as Record<RequestValue, PeeringField>;
}

/** Lists the values that differ between two versions of a peering, in the order of the form. */
export function listPeeringChanges(
  before: PeeringRequest | null,
  after: PeeringRequest | null,
): readonly PeeringChange[] {
  return (Object.keys(fields) as Value[])
    .filter((value) => (before?.[value] ?? null) !== (after?.[value] ?? null))
    .map((value) => ({
      field: fields[value].name,
      before: before && formatValue(fields[value], before[value]),
      after: after && formatValue(fields[value], after[value]),
    }));
}

function formatValue({ absent = "none" }: PeeringField, value: PeeringRequest[Value]): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return value === null || value === undefined ? absent : String(value);
}

/** What a change of these fields interrupts on the node: the tunnel with everything in it, BGP sessions, or nothing. */
export function findInterruption(changed: readonly PeerUpdateField[]): Interruption {
  const interrupted = changed.map((field) => peeringFields[field].interrupts);
  return (
    (["tunnel", "sessions"] as const).find((each) => interrupted.some((one) => one === each)) ?? "nothing"
  );
}
