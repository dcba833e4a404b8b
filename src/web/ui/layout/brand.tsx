import { chakra } from "@chakra-ui/react/styled-system";
import { createLink } from "@tanstack/react-router";

/** The logo: two nodes and a session. index.html and the icons contain the same drawing. */
export function Logo() {
  return (
    <chakra.svg viewBox="0 0 24 24" boxSize="6" flexShrink={0} aria-hidden color="accent">
      <path d="M7.5 16.5 16.5 7.5" stroke="currentColor" strokeWidth="2.2" fill="none" />
      <circle cx="6" cy="18" r="3.4" fill="none" stroke="currentColor" strokeWidth="2.2" />
      <circle cx="18" cy="6" r="4" fill="currentColor" />
    </chakra.svg>
  );
}

const HomeLink = createLink(
  chakra("a", {
    base: {
      display: "inline-flex",
      alignItems: "center",
      gap: "2.5",
      minWidth: "0",
      borderRadius: "sm",
      fontSize: "lg",
      fontWeight: "semibold",
      letterSpacing: "tight",
      color: "fg",
    },
  }),
);

/** The provider's logo and name, linked to the home page. */
export function BrandLink({ name }: { readonly name: string }) {
  return (
    <HomeLink to="/">
      <Logo />
      <chakra.span truncate>{name}</chakra.span>
    </HomeLink>
  );
}
