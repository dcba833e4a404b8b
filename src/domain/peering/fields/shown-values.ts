/** The texts of fields in the Edit tab and in the confirmation. */
import type { PeerUpdateField } from "#contract/entities.ts";
import type { PeerConfig } from "#contract/lenient.ts";
import { isSecretWord, secretWords } from "../option-rules.ts";
import type { FormChoices, ShownValue } from "./field-row.ts";
import { fieldOrder, isPeeringOption, isSecretField } from "./field-lists.ts";
import { connectsToNode, peeringFields } from "./peering-fields.ts";

/** The rows of a list of the Edit tab, in its order, without options that the peering does not have. */
export function listShownValues(list: ShownValue["list"], config: PeerConfig): readonly ShownValue[] {
  return fieldOrder
    .flatMap((field): readonly ShownValue[] =>
      peeringFields[field].shown.filter(({ value }) => !isPeeringOption(field) || value(config) !== ""),
    )
    .filter((shown) => shown.list === list)
    .toSorted((left, right) => left.position - right.position);
}

/** Whether an option has the field's place: a router that connects to the node has neither host nor port. */
export function isReplacedByOption(
  field: PeerUpdateField,
  { no_endpoint }: Pick<FormChoices, "no_endpoint">,
): boolean {
  return no_endpoint === "Yes" && (field === "remote_ip" || field === "remote_port");
}

/** The words for a value of the form in the confirmation, where it may be the one that an edit replaces. */
export function describeFormValue(field: PeerUpdateField, text: string): string {
  if (field === "no_endpoint" && text === "Yes") return connectsToNode;
  if (!isSecretField(field) || text === "") return text;
  if (text === "keep") return "The current one";
  return isSecretWord(text) ? secretWords[text] : "As you entered it";
}
