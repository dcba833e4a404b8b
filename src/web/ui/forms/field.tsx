import { chakra } from "@chakra-ui/react/styled-system";
import { type HTMLInputAutoCompleteAttribute, type ReactNode, useId } from "react";

export interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: (() => void) | undefined;
  /** The error message; empty or absent for a valid value. */
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  readonly type?: "text" | "password" | "email" | undefined;
  /** Monospace without spell checking: for addresses, keys and hostnames. */
  readonly mono?: boolean;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly multiline?: boolean;
  readonly placeholder?: string | undefined;
  readonly inputMode?: "text" | "numeric" | "decimal" | "email" | undefined;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute | undefined;
}

const controlStyles = {
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
  error = "",
  hint,
  type = "text",
  mono = false,
  required = false,
  disabled = false,
  multiline = false,
  placeholder,
  inputMode,
  autoComplete = "off",
}: FieldProps) {
  const id = useId();
  const describedBy = [error !== "" && `${id}-error`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(" ");
  const controlProps = {
    id,
    name,
    value,
    required,
    disabled,
    placeholder,
    inputMode,
    autoComplete,
    onBlur,
    "aria-invalid": error !== "",
    "aria-describedby": describedBy === "" ? undefined : describedBy,
    ...(mono && { fontFamily: "mono", spellCheck: false, autoCapitalize: "off", autoCorrect: "off" }),
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
        <chakra.input
          {...controlStyles}
          {...controlProps}
          type={type}
          onChange={(event) => onChange(event.target.value)}
        />
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
      {hint !== undefined && (
        <chakra.p id={`${id}-hint`} color="fg.muted" fontSize="sm" mt="1.5">
          {hint}
        </chakra.p>
      )}
    </chakra.div>
  );
}
