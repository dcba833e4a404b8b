import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { findInterruption } from "#domain/peering/fields/peering-changes.ts";
import type { PeerUpdateField } from "#contract/entities.ts";
import type { FormType } from "#contract/app/screens.ts";
import { fromPeerConfig, type PeerForm, toPeerUpdate } from "#domain/peering/fields/peer-form.ts";
import type { Interruption, PeeringField } from "#domain/peering/fields/field-row.ts";
import { describeFormValue, isReplacedByOption } from "#domain/peering/fields/shown-values.ts";
import { fieldOrder, isPeeringOption } from "#domain/peering/fields/field-lists.ts";
import { peeringFields } from "#domain/peering/fields/peering-fields.ts";
import { useNodeHost } from "#web/api/provider.ts";
import type { WizardState } from "./wizard-state.ts";
import { ValueOrPlaceholder } from "#web/ui/text/copy-text.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { peerConfigQuery } from "../queries.ts";

export interface ConfirmStepProps {
  readonly username: string;
  readonly type: FormType;
  readonly state: WizardState;
}

/** Everything that Submit sends. An edit shows the current value before each one that it changes. */
export function ConfirmStep({ username, type, state }: ConfirmStepProps) {
  const nodeHost = useNodeHost();
  const { form } = state;
  const { data: config } = useQuery({
    ...peerConfigQuery(username, form.node),
    enabled: type === "edit",
  });
  const textsOf = (values: PeerForm) => describeForm(values, nodeHost);
  const submitted = textsOf(form);
  const current = type === "edit" && config ? textsOf(fromPeerConfig(form.node, config)) : null;
  const isChanged = (field: PeerUpdateField) => current !== null && current(field) !== submitted(field);
  const isShown = (field: PeerUpdateField) => {
    if (isPeeringOption(field) || isReplacedByOption(field, form)) return submitted(field) !== "";
    return true;
  };
  const shown = fieldOrder.filter((field) => isShown(field) || isChanged(field));
  const changed = shown.filter(isChanged);
  const interruption = interruptions[findInterruption(changed)];
  const entries = shown.map((field) => ({
    label: confirmLabelOf(peeringFields[field]),
    value: isChanged(field) ? (
      <Change from={current?.(field) ?? ""} to={submitted(field)} />
    ) : (
      <ValueOrPlaceholder value={submitted(field)} />
    ),
  }));
  return (
    <>
      {current !== null && (
        <chakra.p color="fg.muted">
          {changed.length > 0
            ? "Each changed value is shown after the current one."
            : "No value has changed. Submit deploys the current configuration again."}
        </chakra.p>
      )}
      {current !== null && interruption !== "" && <chakra.p color="fg.muted">{interruption}</chakra.p>}
      <KeyValueList items={entries} />
    </>
  );
}

/** Returns the text of each field, as the confirmation shows it. */
function describeForm(
  form: PeerForm,
  nodeHost: (node: string) => string,
): (field: PeerUpdateField) => string {
  const update = toPeerUpdate(form, []);
  return (field) => {
    if (field === "node") return nodeHost(form.node);
    return isPeeringOption(field) ? describeFormValue(field, form[field]) : update[field];
  };
}

const interruptions: Readonly<Record<Interruption, string>> = {
  tunnel: "The tunnel is interrupted until your router has the new configuration.",
  sessions: "The BGP sessions restart.",
  nothing: "",
};

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
