import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { PeerUpdate } from "../../../../contract/entities.ts";
import type { FormType } from "../../../../contract/app/screens.ts";
import { fromPeerConfig, type PeerForm, toPeerUpdate } from "../../../../domain/peering/peer-form.ts";
import { useNodeHost } from "../../../api/provider.ts";
import { ValueOrPlaceholder } from "../../../ui/text/copy-text.tsx";
import { KeyValueList } from "../../../ui/text/key-value-list.tsx";
import { VisuallyHidden } from "../../../ui/text/visually-hidden.tsx";
import { peerConfigQuery } from "../queries.ts";
import { detailFields, fieldTexts } from "./wizard-field.tsx";

const labels = [
  ["address_family", "Address family"],
  ["bgp_extnh", "Extended Nexthop"],
  ...detailFields.map((field) => [field, fieldTexts[field].label] as const),
  // In the form, the label is a request to enter it.
  ["local_ipv6", "Our tunnel IPv6"],
] as const;

export interface ConfirmStepProps {
  readonly username: string;
  readonly type: FormType;
  readonly form: PeerForm;
}

/** Everything that Submit sends. An edit shows the current value before each one that it changes. */
export function ConfirmStep({ username, type, form }: ConfirmStepProps) {
  const nodeHost = useNodeHost();
  const update = toPeerUpdate(form);
  const { data: config } = useQuery({
    ...peerConfigQuery(username, form.node),
    enabled: type === "edit",
  });
  const current = type === "edit" && config ? toPeerUpdate(fromPeerConfig(form.node, config)) : null;
  const isChanged = (field: keyof PeerUpdate) => current !== null && current[field] !== update[field];
  const entries = labels.map(([field, label]) => ({
    label,
    value: isChanged(field) ? (
      <Change from={current?.[field] ?? ""} to={update[field]} />
    ) : (
      <ValueOrPlaceholder value={update[field]} />
    ),
  }));
  return (
    <>
      {current !== null && (
        <chakra.p color="fg.muted">
          {labels.some(([field]) => isChanged(field))
            ? "Each changed value is shown after the current one."
            : "No value has changed. Submit deploys the current configuration again."}
        </chakra.p>
      )}
      <KeyValueList
        items={[{ label: "Node", value: <ValueOrPlaceholder value={nodeHost(update.node)} /> }, ...entries]}
      />
    </>
  );
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
