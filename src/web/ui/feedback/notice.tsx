import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Button } from "../forms/button.tsx";

const toneStyles = {
  quiet: { color: "fg.muted", bg: "bg.subtle", borderColor: "border" },
  success: { color: "fg", bg: "good.subtle", borderColor: "good" },
  warning: { color: "fg", bg: "issues.subtle", borderColor: "issues" },
  error: { color: "fg", bg: "down.subtle", borderColor: "down" },
} as const;

export interface NoticeProps {
  readonly tone?: keyof typeof toneStyles;
  readonly children: ReactNode;
  /** Adds a Retry button. */
  readonly onRetry?: (() => void) | undefined;
  readonly isRetrying?: boolean;
}

/** A message next to the content it concerns. Only errors interrupt a screen reader. */
export function Notice({ tone = "quiet", children, onRetry, isRetrying = false }: NoticeProps) {
  return (
    <chakra.div
      role={tone === "error" ? "alert" : "status"}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="4"
      rowGap="2"
      px="3"
      py="2"
      borderInlineStartWidth="3px"
      borderRadius="sm"
      {...toneStyles[tone]}
    >
      <chakra.div flex="1 1 14rem" minWidth="0" overflowWrap="anywhere">
        {children}
      </chakra.div>
      {onRetry && (
        <Button size="sm" onClick={onRetry} isPending={isRetrying}>
          Retry
        </Button>
      )}
    </chakra.div>
  );
}
