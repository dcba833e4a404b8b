import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";

export interface TopicProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A section of prose. */
export function Topic({ title, children }: TopicProps) {
  const titleId = useId();
  return (
    <chakra.section
      aria-labelledby={titleId}
      display="grid"
      gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "15rem minmax(0, 42rem)" }}
      columnGap="8"
      rowGap="3"
      pt={{ base: "6", md: "8" }}
      borderTopWidth="1px"
    >
      <chakra.h2 id={titleId} fontSize="lg" fontWeight="semibold" letterSpacing="tight">
        {title}
      </chakra.h2>
      <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
        {children}
      </chakra.div>
    </chakra.section>
  );
}

export const Prose = chakra("p", { base: { maxWidth: "prose", lineHeight: "relaxed" } });
