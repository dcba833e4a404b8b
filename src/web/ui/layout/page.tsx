import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { useHeadingLevel, usePageTitle } from "./headings.tsx";

export interface PageProps {
  /** The heading, and the first part of the document title. */
  readonly title: string;
  /** Whether the title is the name of a node, which is not translated. */
  readonly isName?: boolean;
  /** Above the heading, for a back link. */
  readonly above?: ReactNode;
  /** One sentence under the heading. */
  readonly lead?: ReactNode;
  /** Directly after the heading: the status of what the page is about. */
  readonly status?: ReactNode;
  /** To the right of the heading. */
  readonly actions?: ReactNode;
  /** Limits the width, for screens with a form or a few facts. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}

/** The frame of one screen: sets the document title and focuses the heading after a navigation within the app. */
export function Page({ title, above, lead, status, actions, isName, narrow = false, children }: PageProps) {
  const level = useHeadingLevel();
  const heading = usePageTitle(title);

  return (
    <chakra.div
      display="grid"
      gap={{ base: "5", md: "6" }}
      gridTemplateColumns="minmax(0, 1fr)"
      maxWidth={narrow ? "step" : undefined}
    >
      <chakra.div>
        {above}
        <chakra.div
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          justifyContent="space-between"
          columnGap="6"
          rowGap="3"
        >
          <chakra.div
            display="flex"
            flexWrap="wrap"
            alignItems="center"
            columnGap="3"
            rowGap="1"
            minWidth="0"
          >
            <chakra.h1
              ref={heading}
              htmlTranslate={isName ? "no" : undefined}
              as={level === 1 ? "h1" : "h2"}
              tabIndex={-1}
              outline="none"
              fontSize={level === 1 ? "2xl" : "xl"}
              fontWeight="semibold"
              lineHeight="tight"
              letterSpacing="tight"
              overflowWrap="anywhere"
              minWidth="0"
            >
              {title}
            </chakra.h1>
            {status}
          </chakra.div>
          {actions}
        </chakra.div>
        {lead !== undefined && lead !== false && (
          <chakra.p mt="1.5" color="fg.muted" maxWidth="48rem">
            {lead}
          </chakra.p>
        )}
      </chakra.div>
      {children}
    </chakra.div>
  );
}
