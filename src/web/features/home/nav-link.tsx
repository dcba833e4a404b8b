import { chakra } from "@chakra-ui/react/styled-system";
import { createLink } from "@tanstack/react-router";

/** The router marks the link of the shown screen with aria-current="page". */
export const NavLink = createLink(
  chakra("a", {
    base: {
      px: "3",
      py: { base: "2.5", md: "1.5" },
      borderRadius: "md",
      fontWeight: "medium",
      color: "fg.muted",
      _hover: { color: "fg", bg: "bg.subtle" },
      _currentPage: { color: "fg", bg: "bg.muted" },
    },
  }),
);
