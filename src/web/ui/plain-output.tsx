import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export interface PlainOutputProps {
  readonly children: ReactNode;
  /** What printed this, for screen readers; or the id of where it stands. */
  readonly "aria-label"?: string;
  readonly "aria-labelledby"?: string;
  /** For short texts: long lines are broken, and half of a window is the end. */
  readonly short?: boolean;
}

/** What a program printed, as it printed it. Scrolls within itself, also with the keyboard. */
export function PlainOutput({ children, short = false, ...label }: PlainOutputProps) {
  return (
    <chakra.pre
      role="region"
      tabIndex={0}
      {...label}
      px="3"
      py="2.5"
      fontFamily="mono"
      fontSize="xs"
      lineHeight="relaxed"
      overflow="auto"
      {...(short && { maxHeight: "50dvh", whiteSpace: "pre-wrap", overflowWrap: "anywhere" })}
      _focusVisible={{ outlineOffset: "-2px" }}
    >
      {children}
    </chakra.pre>
  );
}
