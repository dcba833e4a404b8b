import { chakra } from "@chakra-ui/react/styled-system";
import { Outlet, createLink } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useProvider } from "../../api/provider.ts";
import { DemoBanner } from "../../ui/feedback/demo-banner.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { BrandLink } from "../../ui/layout/brand.tsx";
import { SkipLink, skipTarget } from "../../ui/layout/skip-link.tsx";
import { ColourSchemeButton } from "../../ui/theme/colour-scheme.tsx";
const screens = [
  { to: "/", label: "Home" },
  { to: "/status", label: "Status" },
  { to: "/map", label: "Map" },
  { to: "/about", label: "About" },
] as const;

export interface MainLayoutProps {
  /** Shown in the footer of every public screen: the install offer, if there is one. */
  readonly installOffer: ReactNode;
}

export function MainLayout({ installOffer }: MainLayoutProps) {
  const { name, asn, demo } = useProvider();
  return (
    <chakra.div display="flex" flexDirection="column" flex="1 0 auto">
      <SkipLink />
      <chakra.header bg="bg.panel" borderBottomWidth="1px">
        <chakra.div
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          columnGap={{ base: "2", md: "3" }}
          minHeight={{ base: "24", md: "14" }}
          maxWidth="page"
          mx="auto"
          px={{ base: "4", md: "6" }}
        >
          <chakra.div
            display="flex"
            flexDirection={{ base: "column", lg: "row" }}
            alignItems={{ lg: "center" }}
            columnGap="6"
            flex="1 1 8rem"
            minWidth="0"
            pt="1.5"
            pb={{ base: "0", md: "1.5" }}
          >
            <BrandLink name={name} />
            <chakra.p
              ms={{ base: "8.5", lg: "0" }}
              color="fg.muted"
              fontSize={{ base: "xs", lg: "sm" }}
              lineHeight="tight"
              truncate
            >
              BGP over WireGuard
            </chakra.p>
          </chakra.div>
          <chakra.nav
            aria-label="Main"
            display="flex"
            flex={{ base: "1 0 80%", md: "none" }}
            order={{ base: "1", md: "0" }}
            gap={{ md: "1" }}
            ms={{ base: "-2", sm: "-3", md: "0" }}
          >
            {screens.map(({ to, label }) => (
              <NavLink key={to} to={to} activeOptions={{ exact: to === "/" }}>
                {label}
              </NavLink>
            ))}
          </chakra.nav>
          <chakra.div order={{ base: "1", md: "0" }}>
            <ColourSchemeButton />
          </chakra.div>
          <ButtonLink to="/manager" size="sm">
            Peering Manager
          </ButtonLink>
        </chakra.div>
      </chakra.header>
      <chakra.main
        {...skipTarget}
        flex="1"
        minHeight="100dvh"
        width="full"
        maxWidth="page"
        mx="auto"
        px={{ base: "4", md: "6" }}
        py={{ base: "8", md: "14" }}
      >
        <Outlet />
      </chakra.main>
      <chakra.footer borderTopWidth="1px">
        <chakra.div
          display="flex"
          flexWrap="wrap"
          alignItems="center"
          justifyContent="space-between"
          columnGap="6"
          rowGap="3"
          maxWidth="page"
          mx="auto"
          px={{ base: "4", md: "6" }}
          py="5"
        >
          <chakra.p fontSize="xs" color="fg.subtle">
            {name}, AS{asn}. Run by volunteers.
          </chakra.p>
          {installOffer}
        </chakra.div>
      </chakra.footer>
      {demo && <DemoBanner />}
    </chakra.div>
  );
}

/** The router sets aria-current="page" on the link of the current screen. */
export const NavLink = createLink(
  chakra("a", {
    base: {
      px: { base: "2", sm: "3" },
      py: { base: "2.5", md: "1.5" },
      borderRadius: "md",
      fontWeight: "medium",
      color: "fg.muted",
      _hover: { color: "fg", bg: "bg.subtle" },
      _currentPage: { color: "fg", bg: "bg.muted" },
    },
  }),
);
