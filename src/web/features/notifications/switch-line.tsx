import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";

export interface SwitchLineProps {
  readonly label: string;
  /** What it does, in a sentence. */
  readonly note: string;
  readonly on: boolean;
  readonly disabled: boolean;
  readonly onChange: (on: boolean) => void;
}

export function SwitchLine({ label, note, on, disabled, onChange }: SwitchLineProps) {
  const id = useId();
  return (
    <chakra.div display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="3" alignItems="start">
      <chakra.input
        id={id}
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        disabled={disabled}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.checked)}
        boxSize="4"
        mt="0.5"
        accentColor="accent"
      />
      <div>
        <chakra.label htmlFor={id} fontWeight="medium" color={disabled ? "fg.muted" : "fg"}>
          {label}
        </chakra.label>
        <chakra.p id={`${id}-note`} fontSize="sm" color="fg.muted">
          {note}
        </chakra.p>
      </div>
    </chakra.div>
  );
}
