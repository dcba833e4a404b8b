import { chakra } from "@chakra-ui/react/styled-system";
import { type Dispatch, type SyntheticEvent, useState } from "react";
import { findPortReuse, suggestPort } from "#domain/peering/participant-ports.ts";
import {
  inputOf,
  isPeeringOption,
  isTypedField,
  isSecretField,
  type TypedField,
  typedFields,
} from "#domain/peering/fields/field-lists.ts";
import { peeringFields } from "#domain/peering/fields/peering-fields.ts";
import type { FormFieldError } from "#domain/peering/invalid-field.ts";
import { useNodeHost, useProvider } from "#web/api/provider.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { useOtherEndpoints } from "./other-endpoints.ts";
import { PasteReportBox } from "./paste/paste-report.tsx";
import { type Paste, usePaste } from "./paste/use-paste.ts";
import { SecretField } from "./secret-field.tsx";
import { WizardField, type WizardFieldProps } from "./wizard-field.tsx";
import { fieldErrorText, type WizardAction, type WizardState } from "./wizard-state.ts";

const inStep = typedFields.filter((field) => peeringFields[field].step === "enterDetails");
const detailFields = inStep.filter((field) => !isPeeringOption(field));
const optionFields = inStep.filter(isPeeringOption);

export interface DetailsStepProps {
  readonly username: string;
  readonly state: WizardState;
  /** What the server said about the current values. */
  readonly serverErrors: readonly FormFieldError[];
  readonly dispatch: Dispatch<WizardAction>;
}

export function DetailsStep({ username, ...rest }: DetailsStepProps) {
  const { state, dispatch, serverErrors } = rest;
  const options = optionFields.filter(useIsAnnounced());
  const details = detailFields.filter((field) => inputOf(field).isShown(state.form));
  const paste = usePaste({ username, state, shown: [...details, ...options], dispatch });
  const ofChoices = serverErrors.filter(({ field }) => !isTypedField(field));
  return (
    <chakra.div display="contents" {...paste.handlers}>
      {ofChoices.length > 0 && (
        <Notice tone="warning">{ofChoices.map(({ message }) => message).join(" ")}</Notice>
      )}
      {details.map((field) => (
        <div key={field}>
          {field === "remote_port" ? (
            <PortField field={field} username={username} {...rest} />
          ) : (
            <WizardField field={field} {...rest} />
          )}
          <PasteReportBox field={field} paste={paste} />
        </div>
      ))}
      <MoreOptions {...rest} shown={options} paste={paste} />
    </chakra.div>
  );
}

function useIsAnnounced(): (field: TypedField) => boolean {
  const { options } = useProvider();
  return (field) => options.includes(field);
}

interface MoreOptionsProps extends Omit<DetailsStepProps, "username"> {
  readonly shown: readonly TypedField[];
  readonly paste: Paste;
}

/** The options that the server announces, open while one of them has a value or an error. */
function MoreOptions({ shown, paste, ...props }: MoreOptionsProps) {
  const { state, serverErrors } = props;
  const isInUse = shown.some(
    (field) =>
      state.form[field] !== "" ||
      fieldErrorText(state, field) !== "" ||
      serverErrors.some((error) => error.field === field),
  );
  const [isOpen, setIsOpen] = useState(isInUse);
  const isShown = isOpen || isInUse;
  if (shown.length === 0) return null;
  return (
    <chakra.details
      open={isShown}
      onToggle={(event: SyntheticEvent<HTMLDetailsElement>) => setIsOpen(event.currentTarget.open)}
    >
      <chakra.summary cursor="pointer" width="fit-content" py="0.5" fontWeight="medium">
        More options
      </chakra.summary>
      {isShown && (
        <chakra.div display="grid" gap="6" gridTemplateColumns="minmax(0, 1fr)" mt="4">
          {shown.map((field) => (
            <div key={field}>
              {isSecretField(field) ? (
                <SecretField field={field} {...props} />
              ) : (
                <WizardField field={field} {...props} />
              )}
              <PasteReportBox field={field} paste={paste} />
            </div>
          ))}
        </chakra.div>
      )}
    </chakra.details>
  );
}

/** Suggests a port that no other peering uses, and warns about one that the same host uses already. */
function PortField({ username, ...rest }: WizardFieldProps & { readonly username: string }) {
  const { state, dispatch } = rest;
  const { node, remote_ip, remote_port } = state.form;
  const nodeHost = useNodeHost();
  const others = useOtherEndpoints(username, node);
  const reusing = findPortReuse(remote_ip, remote_port, others);
  const suggestion = String(suggestPort(others));
  const isWarned = reusing.length > 0 && state.touched.includes("remote_port");
  const names = reusing.map((other) => nodeHost(other.node)).join(" and ");
  const use = () => {
    dispatch({ type: "typed", field: "remote_port", value: suggestion });
    dispatch({ type: "blurred", field: "remote_port" });
  };
  return (
    <WizardField
      {...rest}
      placeholder={suggestion}
      otherAdvice={
        isWarned
          ? `Your peering on ${names} uses this port on the same host. Two WireGuard interfaces of one router cannot listen on one port.`
          : ""
      }
      trailing={
        remote_port === "" || isWarned ? (
          <Button
            size="sm"
            title="None of your other peerings uses this port"
            // A field that loses the focus may show an error, which would move the button away from the pointer.
            onMouseDown={(event) => event.preventDefault()}
            onClick={use}
          >
            Use {suggestion}
          </Button>
        ) : undefined
      }
    />
  );
}
