import * as v from "valibot";
import { emptyPeerForm, type PeerForm, type TypedField } from "../../../domain/peer-form.ts";
import type { FieldRefusal, WizardState } from "./wizard-state.ts";

const yesNo = v.picklist(["", "Yes", "No"]);
const typed = v.string();

const form = v.object({
  node: v.string(),
  address_family: v.picklist(["", "IPv4", "IPv6", "Both"]),
  bgp_extnh: yesNo,
  custom_local_ipv6: yesNo,
  remote_ip: typed,
  remote_port: typed,
  peer_ipv4: typed,
  peer_ipv6: typed,
  local_ipv6: typed,
  public_key: typed,
}) satisfies v.GenericSchema<PeerForm>;

const fields = Object.keys(emptyPeerForm) as Array<keyof PeerForm>;

const state = v.object({
  form,
  touched: v.array(v.picklist(fields as TypedField[])),
  refusal: v.nullable(
    v.object({ field: v.picklist(fields as Array<FieldRefusal["field"]>), message: v.string() }),
  ),
  conflict: v.nullable(v.string()),
  generation: v.number(),
}) satisfies v.GenericSchema<WizardState>;

/** The wizard's state as an earlier visit, perhaps of another version, kept it; null for anything else. */
export function parseWizardState(kept: unknown): WizardState | null {
  const parsed = v.safeParse(state, kept);
  return parsed.success ? parsed.output : null;
}
