/** What a new peering takes over from one with another node. */
import type { PeerUpdateField } from "#contract/entities.ts";
import { isLinkLocal } from "../../address-ranges.ts";
import { fieldOrder, secretFields, typedFields } from "./field-lists.ts";
import { newPeerForm, type PeerForm } from "./peer-form.ts";

export interface ReusedPeering {
  readonly form: PeerForm;
  /** The fields that were filled in. */
  readonly fields: readonly PeerUpdateField[];
  /** Whether the participant has to answer for this node what was chosen for the other one. */
  readonly hasQuestion: boolean;
}

/** Whether the participant has entered nothing but the node. */
export function isUnfilled(form: PeerForm): boolean {
  return fieldOrder.every((field) => field === "node" || form[field] === newPeerForm[field]);
}

/**
 * Returns the form of a new peering with the values of another one. The port is one that the participant's other peerings
 * do not use, and secrets are not taken over. Our tunnel address is that of another node: only a link-local one can be the
 * same on both.
 *
 * @param source the form of the other peering
 * @param freePort a port that none of the peerings uses
 */
export function reusePeering(node: string, source: PeerForm, freePort: string): ReusedPeering {
  const hasQuestion = source.local_ipv6 !== "" && !isLinkLocal(source.local_ipv6);
  const form: PeerForm = {
    ...source,
    ...Object.fromEntries(secretFields.map((field) => [field, ""])),
    node,
    remote_port: source.no_endpoint === "Yes" ? "" : freePort,
    ...(hasQuestion && { local_ipv6: "" }),
  };
  const fields = fieldOrder.filter((field) => field !== "node" && form[field] !== "");
  return { form, fields, hasQuestion };
}

/** The text fields among these. */
export function typedAmong(fields: readonly PeerUpdateField[]): typeof typedFields {
  return typedFields.filter((field) => fields.includes(field));
}
