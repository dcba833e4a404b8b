import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** A second line: what the option means, or why it is disabled. */
  readonly note?: ReactNode;
  readonly disabled?: boolean;
}

export interface RadioGroupProps<Value extends string> {
  /** The question. */
  readonly legend: string;
  readonly options: readonly RadioOption<Value>[];
  readonly value: Value | "";
  readonly onChange: (value: Value) => void;
  readonly hint?: ReactNode;
}

/** A question with a few options, all visible; the arrow keys move between them. */
export function RadioGroup<Value extends string>({
  legend,
  options,
  value,
  onChange,
  hint,
}: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <chakra.fieldset minWidth="0" aria-describedby={hint === undefined ? undefined : `${name}-hint`}>
      <chakra.legend mb="1.5" fontWeight="medium">
        {legend}
      </chakra.legend>
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        {options.map((option) => (
          <chakra.label
            key={option.value}
            display="flex"
            alignItems="center"
            gap="2.5"
            minHeight="10"
            px="3"
            py="2"
            bg="bg.panel"
            borderWidth="1px"
            borderColor="border.emphasized"
            borderRadius="md"
            cursor="pointer"
            css={{
              "&:hover:not(:has(:checked, :disabled))": { borderColor: "fg.subtle" },
              "&:has(:checked)": { borderColor: "accent", bg: "accent.subtle" },
              "&:has(:focus-visible)": { outline: "2px solid", outlineColor: "accent", outlineOffset: "2px" },
              "&:has(:disabled)": { cursor: "not-allowed", opacity: 0.55 },
            }}
          >
            <chakra.input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              disabled={option.disabled === true}
              onChange={() => onChange(option.value)}
              accentColor="accent"
              outline="none"
            />
            <span>
              {option.label}
              {option.note !== undefined && (
                <chakra.span display="block" fontSize="sm" color="fg.muted">
                  {option.note}
                </chakra.span>
              )}
            </span>
          </chakra.label>
        ))}
      </chakra.div>
      {hint !== undefined && (
        <chakra.p id={`${name}-hint`} mt="1.5" fontSize="sm" color="fg.muted">
          {hint}
        </chakra.p>
      )}
    </chakra.fieldset>
  );
}
