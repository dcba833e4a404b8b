import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { findInterruption } from "#domain/peering/fields/peering-changes.ts";
import type { PeerUpdateField } from "#contract/entities.ts";
import type { FormStep, FormType } from "#contract/app/screens.ts";
import type { FormFieldError } from "#domain/peering/invalid-field.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { wizardLink } from "../screen-links.ts";
import { stepOfField, stepsOf, stepTitles } from "./steps.ts";
import { fromPeerConfig, type PeerForm, toPeerUpdate } from "#domain/peering/fields/peer-form.ts";
import type { Interruption, PeeringField } from "#domain/peering/fields/field-row.ts";
import { describeFormValue, isReplacedByOption } from "#domain/peering/fields/shown-values.ts";
import { fieldOrder, isPeeringOption } from "#domain/peering/fields/field-lists.ts";
import { peeringFields } from "#domain/peering/fields/peering-fields.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { findProblems, type WizardState } from "./wizard-state.ts";
import { ValueOrPlaceholder } from "#web/ui/text/copy-text.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { peerConfigQuery } from "../queries.ts";

export interface ConfirmStepProps {
  readonly username: string;
  readonly type: FormType;
  readonly state: WizardState;
  /** What the server said about the current values. */
  readonly serverErrors: readonly FormFieldError[];
}

/** Everything that Submit sends. An edit shows the current value before each one that it changes. */
export function ConfirmStep({ username, type, state, serverErrors }: ConfirmStepProps) {
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
  const errors = findProblems(state, serverErrors);
  const entryOf = (field: PeerUpdateField) => ({
    label: confirmLabelOf(peeringFields[field]),
    value: (
      <>
        <chakra.span
          display="flex"
          flexDirection={{ base: "column", sm: "row" }}
          alignItems={{ sm: "baseline" }}
          justifyContent="space-between"
          columnGap="4"
        >
          {isChanged(field) ? (
            <Change from={current?.(field) ?? ""} to={submitted(field)} />
          ) : (
            <chakra.span minWidth="0">
              <ValueOrPlaceholder value={submitted(field)} />
            </chakra.span>
          )}
          {state.reused.includes(field) && <Origin field={field} host={nodeHost(state.source)} />}
        </chakra.span>
        <Rejection messages={messagesOf(field, errors)}>
          <TextLink {...changeLink(type, form.node, field)}>Change it</TextLink>
        </Rejection>
      </>
    ),
  });
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
      {stepsOf(type).map((step) => {
        const fields = shown.filter((field) => stepOfField(type, field) === step);
        const [first] = fields;
        return (
          first && (
            <ValuesOfStep key={step} type={type} node={form.node} field={first}>
              <KeyValueList items={fields.map(entryOf)} />
            </ValuesOfStep>
          )
        );
      })}
      {shown.some((field) => messagesOf(field, errors).length > 0) && (
        <Notice tone="warning">The server does not accept what is marked above.</Notice>
      )}
    </>
  );
}

/** The link to the step with the field's input. */
function changeLink(type: FormType, node: string, field: PeerUpdateField) {
  return wizardLink(type, type === "edit" ? node : "", stepOfField(type, field));
}

function messagesOf(field: PeerUpdateField, errors: readonly FormFieldError[]): readonly string[] {
  return [...new Set(errors.flatMap((error) => (error.field === field ? error.message : [])))];
}

interface ChangeLinkProps {
  readonly type: FormType;
  readonly node: string;
  readonly field: PeerUpdateField;
}

/** The values that were entered in one step, and a link to it. The node needs no name of its step. */
function ValuesOfStep({ children, ...props }: ChangeLinkProps & { readonly children: ReactNode }) {
  const step = stepOfField(props.type, props.field);
  const isNode = step === "selectNode";
  return (
    <chakra.div display={isNode ? "flex" : "block"} columnGap="4" alignItems="baseline">
      {!isNode && (
        <chakra.div
          display="flex"
          justifyContent="space-between"
          columnGap="4"
          mb="2"
          pb="1.5"
          borderBottomWidth="1px"
          fontSize="sm"
        >
          <chakra.span fontWeight="medium">{stepTitles[step]}</chakra.span>
          <ChangeLink {...props} />
        </chakra.div>
      )}
      <chakra.div flex="1" minWidth="0">
        {children}
      </chakra.div>
      {isNode && <ChangeLink {...props} />}
    </chakra.div>
  );
}

function ChangeLink({ type, node, field }: ChangeLinkProps) {
  return (
    <TextLink {...changeLink(type, node, field)} fontSize="sm">
      Change<VisuallyHidden> {subjects[stepOfField(type, field)]}</VisuallyHidden>
    </TextLink>
  );
}

const subjects: Readonly<Record<FormStep, string>> = {
  selectNode: "node",
  selectBGPDetails: "BGP details",
  enterDetails: "your details",
  confirmDetails: "",
};

/** Where a value comes from that the participant has not entered for this peering. */
function Origin({ field, host }: { readonly field: PeerUpdateField; readonly host: string }) {
  return (
    <chakra.span fontSize="sm" color="fg.muted">
      {field === "remote_port" ? "free, none of your peerings uses it" : `from your peering on ${host}`}
    </chakra.span>
  );
}

interface RejectionProps {
  readonly messages: readonly string[];
  /** A link to the field. */
  readonly children: ReactNode;
}

/** What the server found about a value. */
function Rejection({ messages, children }: RejectionProps) {
  if (messages.length === 0) return null;
  return (
    <chakra.span
      display="block"
      mt="1"
      ps="2.5"
      borderInlineStartWidth="3px"
      borderColor="down"
      fontSize="sm"
      color="down"
    >
      {messages.join(" ")} {children}
    </chakra.span>
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
