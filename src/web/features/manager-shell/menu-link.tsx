import { chakra } from "@chakra-ui/react/styled-system";
import { createLink } from "@tanstack/react-router";

export const MenuLink = createLink(
  chakra("a", {
    base: {
      display: "flex",
      alignItems: "center",
      px: "2.5",
      minHeight: "9",
      borderRadius: "md",
      fontWeight: "medium",
      color: "fg.muted",
      _hover: { color: "fg", bg: "bg.muted" },
      _currentPage: { color: "fg", bg: "bg.muted" },
    },
  }),
);
