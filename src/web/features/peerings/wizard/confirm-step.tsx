import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { PeerUpdate, PeerUpdateField } from "../../../../contract/entities.ts";
import type { FormType } from "../../../../contract/app/screens.ts";
import { fromPeerConfig, toPeerUpdate } from "../../../../domain/peering/fields/peer-form.ts";
import {
  fieldOrder,
  isPeeringOption,
  type PeeringField,
  peeringFields,
} from "../../../../domain/peering/fields/peering-fields.ts";
import { useNodeHost } from "../../../api/provider.ts";
import type { WizardState } from "./wizard-state.ts";
import { ValueOrPlaceholder } from "../../../ui/text/copy-text.tsx";
import { KeyValueList } from "../../../ui/text/key-value-list.tsx";
import { VisuallyHidden } from "../../../ui/text/visually-hidden.tsx";
import { peerConfigQuery } from "../queries.ts";

export interface ConfirmStepProps {
  readonly username: string;
  readonly type: FormType;
  readonly state: WizardState;
}

/** Everything that Submit sends. An edit shows the current value before each one that it changes. */
export function ConfirmStep({ username, type, state }: ConfirmStepProps) {
  const nodeHost = useNodeHost();
  const { form, setOptions } = state;
  const update = toPeerUpdate(form, setOptions);
  const { data: config } = useQuery({
    ...peerConfigQuery(username, form.node),
    enabled: type === "edit",
  });
  const current = type === "edit" && config ? toPeerUpdate(fromPeerConfig(form.node, config), []) : null;
  const isChanged = (field: PeerUpdateField) =>
    current !== null && textOf(current, field) !== textOf(update, field);
  const textOf = (values: PeerUpdate, field: PeerUpdateField) =>
    field === "node" ? nodeHost(values.node) : (values[field] ?? "");
  const shown = fieldOrder.filter(
    (field) => !isPeeringOption(field) || update[field] !== undefined || current?.[field] !== undefined,
  );
  const entries = shown.map((field) => ({
    label: confirmLabelOf(peeringFields[field]),
    value: isChanged(field) ? (
      <Change from={current ? textOf(current, field) : ""} to={textOf(update, field)} />
    ) : (
      <ValueOrPlaceholder value={textOf(update, field)} />
    ),
  }));
  return (
    <>
      {current !== null && (
        <chakra.p color="fg.muted">
          {shown.some(isChanged)
            ? "Each changed value is shown after the current one."
            : "No value has changed. Submit deploys the current configuration again."}
        </chakra.p>
      )}
      <KeyValueList items={entries} />
    </>
  );
}

function confirmLabelOf({ label, confirmLabel = label }: PeeringField): string {
  return confirmLabel;
}

/** "old → new", which a screen reader reads as "changed from old to new". */
function Change({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <chakra.span display="flex" flexWrap="wrap" columnGap="2">
      <chakra.del minWidth="0" color="fg.muted" textDecoration="line-through">
        <VisuallyHidden>changed from </VisuallyHidden>
        <ValueOrPlaceholder value={from} />
      </chakra.del>
      <chakra.span minWidth="0">
        <span aria-hidden>→ </span>
        <VisuallyHidden> to </VisuallyHidden>
        <chakra.ins fontWeight="semibold" textDecoration="none">
          <ValueOrPlaceholder value={to} />
        </chakra.ins>
      </chakra.span>
    </chakra.span>
  );
}
