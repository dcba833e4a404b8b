import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";

export interface CheckboxProps {
  readonly label: string;
  readonly hint: string;
  readonly checked: boolean;
  /** Empty without one. */
  readonly error: string;
  readonly onChange: (checked: boolean) => void;
}

/** A choice between yes and no, with its consequence. */
export function Checkbox({ label, hint, checked, error, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <chakra.div>
      <chakra.label display="flex" alignItems="center" gap="2" fontWeight="medium" minHeight="6">
        <chakra.input
          type="checkbox"
          boxSize="4"
          accentColor="accent"
          checked={checked}
          aria-invalid={error !== ""}
          aria-describedby={`${id}-error ${id}-hint`}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </chakra.label>
      <chakra.p id={`${id}-error`} color="down" fontSize="sm" aria-live="polite">
        {error}
      </chakra.p>
      <chakra.p id={`${id}-hint`} color="fg.muted" fontSize="sm">
        {hint}
      </chakra.p>
    </chakra.div>
  );
}
