import { chakra, defineRecipe } from "@chakra-ui/react/styled-system";
import { createLink } from "@tanstack/react-router";

const recipe = defineRecipe({
  base: {
    color: "accent",
    textDecoration: "underline",
    textDecorationThickness: "1px",
    textUnderlineOffset: "0.2em",
    textDecorationColor: "color-mix(in srgb, currentColor 40%, transparent)",
    borderRadius: "sm",
    _hover: { textDecorationColor: "currentColor" },
  },
});

/** A link to a URL outside the app, or one that must reload the page. */
export const ExternalLink = chakra("a", recipe);

/** A link within the app. */
export const TextLink = createLink(ExternalLink);
