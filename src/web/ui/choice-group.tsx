import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** A second line: why this cannot be chosen, or what it means. */
  readonly note?: ReactNode;
  readonly disabled?: boolean;
}

export interface ChoiceGroupProps<Value extends string> {
  /** The question. */
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value | "";
  readonly onChange: (value: Value) => void;
  readonly hint?: ReactNode;
}

/** A question with a few answers that are all in sight; arrow keys move between them. */
export function ChoiceGroup<Value extends string>({
  legend,
  choices,
  value,
  onChange,
  hint,
}: ChoiceGroupProps<Value>) {
  const name = useId();
  return (
    <chakra.fieldset minWidth="0" aria-describedby={hint === undefined ? undefined : `${name}-hint`}>
      <chakra.legend mb="1.5" fontWeight="medium">
        {legend}
      </chakra.legend>
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        {choices.map((choice) => (
          <chakra.label
            key={choice.value}
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
              value={choice.value}
              checked={value === choice.value}
              disabled={choice.disabled === true}
              onChange={() => onChange(choice.value)}
              accentColor="accent"
              outline="none"
            />
            <span>
              {choice.label}
              {choice.note !== undefined && (
                <chakra.span display="block" fontSize="sm" color="fg.muted">
                  {choice.note}
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
