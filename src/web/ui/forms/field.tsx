import { chakra } from "@chakra-ui/react/styled-system";
import {
  type ClipboardEvent,
  type DragEvent,
  type HTMLInputAutoCompleteAttribute,
  type ReactNode,
  type SyntheticEvent,
  useId,
} from "react";
import { autoFocusAttribute } from "../layout/headings.tsx";

export interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: (() => void) | undefined;
  /**
   * Whether a text must not be pasted or dropped, because it is neither stored nor sent. `onChange` then receives it as it is, with the line breaks that an
   * input would remove, and the field stays as it was.
   */
  readonly isWithheld?: (text: string) => boolean;
  /** The error message; empty or absent for a valid value. */
  readonly error?: string | undefined;
  /** Why the value is invalid, or may not work although it is valid. */
  readonly advice?: string;
  /** Whether the value is invalid although there is no error: `advice` says why. */
  readonly isInvalid?: boolean;
  readonly hint?: ReactNode;
  readonly type?: "text" | "password" | "email" | undefined;
  /** Monospace without spell checking: for addresses, keys and hostnames. */
  readonly mono?: boolean;
  /** Never sent to a spelling service, which some browsers do with readable text. */
  readonly isSecret?: boolean;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly multiline?: boolean;
  readonly placeholder?: string | undefined;
  readonly inputMode?: "text" | "numeric" | "decimal" | "email" | undefined;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute | undefined;
  /** The page's first field: gets the focus when the page is shown (`usePageTitle` says when). */
  readonly takesFocus?: boolean;
  /** The id of a text that describes the field, besides its hint. */
  readonly describedBy?: string | undefined;
  /** A button at the end of the input. */
  readonly trailing?: ReactNode;
}

/** The look of every text field. */
export const controlStyles = {
  display: "block",
  width: "full",
  minHeight: "10",
  px: "3",
  py: "2",
  fontSize: { base: "lg", md: "md" },
  lineHeight: "normal",
  color: "fg",
  bg: "bg.panel",
  borderWidth: "1px",
  borderColor: "border.emphasized",
  borderRadius: "md",
  transition: "border-color 120ms",
  _hover: { borderColor: "fg.subtle" },
  _focusVisible: { outlineOffset: "-1px", borderColor: "accent" },
  _invalid: { borderColor: "down" },
  _disabled: { opacity: 0.6, cursor: "not-allowed" },
} as const;

export function Field({
  label,
  name,
  value,
  onChange,
  onBlur,
  isWithheld,
  error = "",
  advice = "",
  isInvalid = false,
  hint,
  type = "text",
  mono = false,
  isSecret = false,
  required = false,
  disabled = false,
  multiline = false,
  placeholder,
  inputMode,
  autoComplete = "off",
  takesFocus = false,
  describedBy,
  trailing,
}: FieldProps) {
  const id = useId();
  const descriptions = [
    error !== "" && `${id}-error`,
    advice !== "" && `${id}-advice`,
    hint !== undefined && `${id}-hint`,
    describedBy,
  ]
    .filter(Boolean)
    .join(" ");
  const insert = (event: SyntheticEvent, inserted: DataTransfer) => {
    const text = inserted.getData("text/plain");
    if (!isWithheld?.(text)) return;
    event.preventDefault();
    onChange(text);
  };
  const controlProps = {
    onPaste: (event: ClipboardEvent) => insert(event, event.clipboardData),
    onDrop: (event: DragEvent) => insert(event, event.dataTransfer),
    id,
    name,
    value,
    required,
    disabled,
    placeholder,
    inputMode,
    autoComplete,
    onBlur,
    "aria-invalid": isInvalid || error !== "",
    "aria-describedby": descriptions === "" ? undefined : descriptions,
    ...(takesFocus && { [autoFocusAttribute]: "" }),
    ...(mono && { fontFamily: "mono" }),
    ...((mono || isSecret) && { spellCheck: false, autoCapitalize: "off", autoCorrect: "off" }),
  };
  return (
    <chakra.div>
      <chakra.label htmlFor={id} display="block" mb="1.5" fontWeight="medium">
        {label}
      </chakra.label>
      {multiline ? (
        <chakra.textarea
          {...controlStyles}
          {...controlProps}
          rows={6}
          resize="vertical"
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <chakra.div position="relative">
          <chakra.input
            {...controlStyles}
            {...controlProps}
            type={type}
            onChange={(event) => onChange(event.target.value)}
            pe={trailing === undefined ? "3" : "12"}
            // Edge draws a button of its own.
            css={{ "&::-ms-reveal": { display: "none" } }}
          />
          {trailing !== undefined && (
            <chakra.div
              position="absolute"
              insetBlock="0"
              insetInlineEnd="1"
              display="flex"
              alignItems="center"
            >
              {trailing}
            </chakra.div>
          )}
        </chakra.div>
      )}
      <chakra.p
        id={`${id}-error`}
        aria-live="polite"
        color="down"
        fontSize="sm"
        mt={error === "" ? undefined : "1.5"}
      >
        {error}
      </chakra.p>
      <chakra.p
        id={`${id}-advice`}
        aria-live="polite"
        color={isInvalid || error !== "" ? "down" : "issues"}
        fontSize="sm"
        overflowWrap="anywhere"
        mt={error === "" && advice !== "" ? "1.5" : undefined}
      >
        {advice}
      </chakra.p>
      {hint !== undefined && (
        <chakra.p id={`${id}-hint`} color="fg.muted" fontSize="sm" mt="1.5">
          {hint}
        </chakra.p>
      )}
    </chakra.div>
  );
}
