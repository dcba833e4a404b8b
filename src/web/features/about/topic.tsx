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
    <chakra.section aria-labelledby={titleId} display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      <chakra.h2 id={titleId} fontSize="lg" fontWeight="semibold" letterSpacing="tight">
        {title}
      </chakra.h2>
      {children}
    </chakra.section>
  );
}

export const Prose = chakra("p", { base: { maxWidth: "prose", lineHeight: "relaxed" } });
