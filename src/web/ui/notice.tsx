import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

const looks = {
  quiet: { color: "fg.muted", bg: "bg.subtle", borderColor: "border" },
  success: { color: "fg", bg: "good.subtle", borderColor: "good" },
  warning: { color: "fg", bg: "issues.subtle", borderColor: "issues" },
  error: { color: "fg", bg: "down.subtle", borderColor: "down" },
} as const;

export interface NoticeProps {
  readonly tone?: keyof typeof looks;
  readonly children: ReactNode;
  /** Offers a Retry button. */
  readonly onRetry?: (() => void) | undefined;
  readonly retrying?: boolean;
}

/** A sentence beside the thing it is about. Errors interrupt a screen reader; everything else waits its turn. */
export function Notice({ tone = "quiet", children, onRetry, retrying = false }: NoticeProps) {
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
      {...looks[tone]}
    >
      <chakra.div flex="1 1 14rem" minWidth="0" overflowWrap="anywhere">
        {children}
      </chakra.div>
      {onRetry && (
        <Button size="sm" onClick={onRetry} pending={retrying}>
          Retry
        </Button>
      )}
    </chakra.div>
  );
}
