/** What the table of fields says about each of them. */
import type { AddressFamily, YesNo } from "#contract/entities.ts";
import type { FormStep } from "#contract/app/screens.ts";
import type { PeerConfig } from "#contract/lenient.ts";
import type { PeeringRequest } from "./peering-request.ts";

/** The fields with a choice of values. */
export interface FormChoices {
  /** Empty until chosen. */
  readonly address_family: AddressFamily | "";
  /** The answer to the question about extended next hop; empty until answered. */
  readonly bgp_extnh: YesNo | "";
  /** Whether the participant chooses the node's tunnel IPv6; empty until answered. */
  readonly custom_local_ipv6: YesNo | "";
  /** "Yes": the participant's router connects to the node. */
  readonly no_endpoint: string;
}

/** A field in which the participant enters a text. */
export interface TextInput {
  /** The expected value, in one or two sentences. */
  readonly hint: string;
  readonly placeholder: string;
  /** `checkbox`: the text is "Yes" or empty. */
  readonly inputMode: "text" | "numeric" | "checkbox";
  readonly isValid: (text: string) => boolean;
  /** Whether the form shows it with these choices. */
  readonly isShown: (choices: FormChoices) => boolean;
  /** Whether the details step requires a valid value. */
  readonly isRequired: (choices: FormChoices) => boolean;
  /** The text that an edit starts from. */
  readonly fromConfig: (config: PeerConfig) => string;
}

/** A value of the configuration on the participant's side of the Edit tab. */
export interface ShownValue {
  readonly list: "your side" | "BGP settings";
  /** The position in its list. */
  readonly position: number;
  readonly label: string;
  readonly value: (config: PeerConfig) => string;
  /** What a copy button copies, "your public key"; null: a word without a button. */
  readonly copied: string | null;
}

export type Interruption = "tunnel" | "sessions" | "nothing";

export interface PeeringField {
  /** The wizard's step that has its input. */
  readonly step: FormStep;
  readonly label: string;
  /** The label in the confirmation, where it is not that of the form. */
  readonly confirmLabel?: string;
  /** Its name in a sentence. */
  readonly name: string;
  /** The value that the server parses from it; null: not part of the request. */
  readonly request: Exclude<keyof PeeringRequest, "asn"> | null;
  /** The word for a request without it. */
  readonly absent?: string;
  readonly input: TextInput | null;
  readonly shown: readonly ShownValue[];
  /** What a change of it interrupts on the node: the tunnel, until the participant's router has it too, or BGP sessions. */
  readonly interrupts: Interruption;
  /** Only for servers that announce it (`options` in `/provider.json`). Without a value it is neither sent nor shown. */
  readonly isOption?: true;
  /** Never stored on the device, never checked before the submit, and confirmed without its value. */
  readonly isSecret?: true;
}

/** A row of the Edit tab on the participant's side. */
export function yours(
  position: number,
  label: string,
  value: ShownValue["value"],
  copied: string | null,
): ShownValue {
  return { list: "your side", position, label, value, copied };
}

export function setting(position: number, label: string, value: ShownValue["value"]): ShownValue {
  return { list: "BGP settings", position, label, value, copied: null };
}
