import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";
import { useHeadingLevel } from "./headings.tsx";

export interface PanelProps {
  readonly title?: ReactNode;
  /** To the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without inner padding, for tables and lists that reach the border. */
  readonly flush?: boolean;
}

export function Panel({ title, actions, children, flush = false }: PanelProps) {
  const titleId = useId();
  const level = useHeadingLevel();
  return (
    <chakra.section
      aria-labelledby={title === undefined ? undefined : titleId}
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="panel"
      minWidth="0"
    >
      {(title !== undefined || actions !== undefined) && (
        <chakra.div
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          justifyContent="space-between"
          gap="2"
          minHeight="11"
          px={{ base: "4", md: "5" }}
          py="2"
          borderBottomWidth="1px"
        >
          {title !== undefined && (
            <chakra.h2 as={level === 1 ? "h2" : "h3"} id={titleId} fontSize="md" fontWeight="semibold">
              {title}
            </chakra.h2>
          )}
          {actions}
        </chakra.div>
      )}
      <chakra.div {...(!flush && { px: { base: "4", md: "5" }, py: "4" })}>{children}</chakra.div>
    </chakra.section>
  );
}
