import { chakra } from "@chakra-ui/react/styled-system";
import { History } from "lucide-react";
import { Age } from "./age.tsx";

export interface LastKnownProps {
  /** When what stands below was true, in milliseconds since 1970; null: now, and nothing has to be said. */
  readonly at: number | null;
}

/** Says that data is not of now. It stands where the data stands. */
export function LastKnown({ at }: LastKnownProps) {
  if (at === null) return null;
  return (
    <chakra.span display="inline-flex" alignItems="baseline" gap="1.5" fontSize="sm" color="issues">
      <chakra.span alignSelf="center">
        <History size={14} aria-hidden />
      </chakra.span>
      <Age at={at} before="last known, " />
    </chakra.span>
  );
}
