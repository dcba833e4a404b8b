import { chakra } from "@chakra-ui/react/styled-system";
import { CopyText } from "./copy-text.tsx";

export interface ProvidedProps {
  /** Empty where nothing was provided. */
  readonly value: string;
  /** What the value is, for the name of a copy button; without it there is none. */
  readonly label?: string;
}

/** A value in monospace, or the words that there is none. */
export function Provided({ value, label }: ProvidedProps) {
  if (value === "") return <chakra.span color="fg.subtle">[not provided]</chakra.span>;
  return label === undefined ? (
    <chakra.span fontFamily="mono" fontSize="sm">
      {value}
    </chakra.span>
  ) : (
    <CopyText value={value} label={label} />
  );
}
