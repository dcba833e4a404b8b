/** The rules of the wizard's form (sections 4 and 5 of `docs/behaviour.md`). */
import type { AddressFamily, PeerUpdate, YesNo } from "../../contract/entities.ts";
import type { PeerConfig } from "../../contract/lenient.ts";
import { canonicalizeHost } from "../host-name.ts";
import { parseIpv4 } from "../ipv4.ts";
import { parseIpv6Text } from "../ipv6.ts";
import { parsePort } from "../port.ts";
import { tunnelHasIpv4, tunnelHasIpv6 } from "./bgp-sessions.ts";
import { isBase64 } from "./wireguard-key.ts";

export interface PeerForm {
  readonly node: string;
  /** Empty until chosen. */
  readonly address_family: AddressFamily | "";
  /** The answer to the question about extended next hop; empty until answered. */
  readonly bgp_extnh: YesNo | "";
  /** Whether the participant chooses the node's tunnel IPv6; empty until answered. */
  readonly custom_local_ipv6: YesNo | "";
  readonly remote_ip: string;
  readonly remote_port: string;
  readonly peer_ipv4: string;
  readonly peer_ipv6: string;
  readonly local_ipv6: string;
  readonly public_key: string;
}

/** The text fields. */
export type TypedField =
  | "remote_ip"
  | "remote_port"
  | "peer_ipv4"
  | "peer_ipv6"
  | "local_ipv6"
  | "public_key";

export const emptyPeerForm: PeerForm = {
  node: "",
  address_family: "",
  bgp_extnh: "",
  custom_local_ipv6: "",
  remote_ip: "",
  remote_port: "",
  peer_ipv4: "",
  peer_ipv6: "",
  local_ipv6: "",
  public_key: "",
};

/** The form of a new peering: the choices that suit most participants, which they can change. */
export const newPeerForm: PeerForm = {
  ...emptyPeerForm,
  address_family: "Both",
  bgp_extnh: "Yes",
  custom_local_ipv6: "No",
};

/** Whether a text is valid for its field. Only `local_ipv6` may be empty. */
export const fieldRules: Readonly<Record<TypedField, (value: string) => boolean>> = {
  remote_ip: (value) => canonicalizeHost(value) !== null,
  remote_port: (value) => parsePort(value) !== null,
  peer_ipv4: (value) => parseIpv4(value) !== null,
  peer_ipv6: (value) => parseIpv6Text(value) !== null,
  local_ipv6: (value) => value === "" || parseIpv6Text(value) !== null,
  public_key: isBase64,
};

export function isTypedField(field: string): field is TypedField {
  return field in fieldRules;
}

/** The form with another address family. Values that do not belong to it are cleared. */
export function chooseFamily(form: PeerForm, family: AddressFamily): PeerForm {
  const chosen = { ...form, address_family: family };
  switch (family) {
    case "IPv4":
      return { ...chosen, peer_ipv6: "", custom_local_ipv6: "", local_ipv6: "", bgp_extnh: "" };
    case "IPv6":
      return { ...chosen, peer_ipv4: "", bgp_extnh: "No" };
    case "Both":
      // The "No" of IPv6 was not an answer, so the form asks.
      return form.address_family === "Both" ? chosen : { ...chosen, bgp_extnh: "" };
  }
}

export function chooseExtendedNextHop(form: PeerForm, answer: YesNo): PeerForm {
  return { ...form, bgp_extnh: answer, ...(answer === "Yes" && { peer_ipv4: "" }) };
}

export function chooseCustomLocalIpv6(form: PeerForm, answer: YesNo): PeerForm {
  return { ...form, custom_local_ipv6: answer, ...(answer === "No" && { local_ipv6: "" }) };
}

type Choices = Pick<PeerForm, "address_family" | "bgp_extnh" | "custom_local_ipv6">;

/** Whether the form shows a text field with these choices. */
export const isFieldShown: Readonly<Record<TypedField, (choices: Choices) => boolean>> = {
  remote_ip: () => true,
  remote_port: () => true,
  public_key: () => true,
  peer_ipv4: ({ address_family, bgp_extnh }) =>
    tunnelHasIpv4({ addressFamily: address_family, extendedNextHop: bgp_extnh !== "No" }),
  peer_ipv6: ({ address_family }) => tunnelHasIpv6({ addressFamily: address_family }),
  local_ipv6: ({ address_family, custom_local_ipv6 }) =>
    tunnelHasIpv6({ addressFamily: address_family }) && custom_local_ipv6 === "Yes",
};

/** Whether the details step requires a valid value. */
export const isFieldRequired: Readonly<Record<TypedField, (choices: Choices) => boolean>> = {
  remote_ip: () => true,
  remote_port: () => true,
  public_key: () => true,
  peer_ipv4: isFieldShown.peer_ipv4,
  peer_ipv6: ({ address_family, bgp_extnh }) => address_family === "Both" && bgp_extnh === "Yes",
  local_ipv6: () => false,
};

/** Whether the family step is complete. A custom tunnel IPv6 of the node must be valid if the form shows it. */
export function isFamilyStepComplete(form: PeerForm): boolean {
  if (form.address_family === "") return false;
  if (form.address_family === "Both" && form.bgp_extnh === "") return false;
  return !isFieldShown.local_ipv6(form) || fieldRules.local_ipv6(form.local_ipv6);
}

/** Whether the details step is complete: required fields are valid, optional ones empty or valid. */
export function isDetailsStepComplete(form: PeerForm): boolean {
  const fields = Object.keys(fieldRules) as TypedField[];
  return fields
    .filter((field) => isFieldShown[field](form))
    .every(
      (field) => fieldRules[field](form[field]) || (form[field] === "" && !isFieldRequired[field](form)),
    );
}

/** The request body of a complete form. Throws if no address family is chosen. */
export function toPeerUpdate(form: PeerForm): PeerUpdate {
  if (form.address_family === "") throw new Error("no address family chosen");
  const shown = (field: TypedField) => (isFieldShown[field](form) ? form[field] : "");
  return {
    node: form.node,
    address_family: form.address_family,
    bgp_extnh: form.address_family === "Both" && form.bgp_extnh === "Yes" ? "Yes" : "No",
    remote_ip: form.remote_ip,
    remote_port: form.remote_port,
    peer_ipv4: shown("peer_ipv4"),
    peer_ipv6: shown("peer_ipv6"),
    local_ipv6: shown("local_ipv6"),
    public_key: form.public_key,
  };
}

/** The form that an edit starts from. */
export function fromPeerConfig(node: string, config: PeerConfig): PeerForm {
  const separator = config.remote.lastIndexOf(":");
  const withIpv6 = config.address_family !== "IPv4";
  return {
    node,
    address_family: config.address_family,
    bgp_extnh: config.address_family === "IPv4" ? "" : config.bgp_extnh,
    custom_local_ipv6: withIpv6 ? (config.local_ipv6 === "" ? "No" : "Yes") : "",
    remote_ip: config.remote.slice(0, separator),
    remote_port: config.remote.slice(separator + 1),
    peer_ipv4: config.peer_ipv4,
    peer_ipv6: config.peer_ipv6,
    local_ipv6: config.local_ipv6,
    public_key: config.peer_publickey,
  };
}
