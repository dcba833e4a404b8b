import { chakra } from "@chakra-ui/react/styled-system";
import { Outlet, createLink } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useProvider } from "../../api/provider.ts";
import { DemoBanner } from "../../ui/feedback/demo-banner.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { BrandLink } from "../../ui/layout/brand.tsx";
import { closeOnEscape, MenuButton } from "../../ui/layout/menu-button.tsx";
import { SkipLink, skipTarget } from "../../ui/layout/skip-link.tsx";
import { ColourSchemeButton } from "../../ui/theme/colour-scheme.tsx";
const screens = [
  { to: "/", label: "Home" },
  { to: "/status", label: "Status" },
  { to: "/map", label: "Map" },
  { to: "/about", label: "About" },
] as const;

const menuId = "main-menu";

export interface MainLayoutProps {
  /** Shown in the footer of every public screen: the install offer, if there is one. */
  readonly installOffer: ReactNode;
}

export function MainLayout({ installOffer }: MainLayoutProps) {
  const { name, asn, demo } = useProvider();
  return (
    <chakra.div display="flex" flexDirection="column" flex="1 0 auto">
      <SkipLink />
      <Header name={name} />
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

/** One line; on a phone the links are in a menu below it. */
function Header({ name }: { readonly name: string }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const header = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: MouseEvent) => {
      if (!header.current?.contains(target as Node)) setOpen(false);
    };
    document.addEventListener("click", closeOutside);
    return () => document.removeEventListener("click", closeOutside);
  }, [isOpen]);
  return (
    <chakra.header
      ref={header}
      position="relative"
      bg="bg.panel"
      borderBottomWidth="1px"
      onKeyDown={isOpen ? closeOnEscape(menuId, close) : undefined}
    >
      <chakra.div
        display="flex"
        alignItems="center"
        columnGap="2.5"
        minHeight="14"
        maxWidth="page"
        mx="auto"
        px={{ base: "4", md: "6" }}
      >
        <chakra.div
          display="flex"
          flexDirection={{ base: "column", lg: "row" }}
          alignItems={{ lg: "center" }}
          columnGap="6"
          flex="1"
          minWidth="0"
        >
          <BrandLink name={name} />
          <chakra.p
            ms={{ base: "8.5", lg: "0" }}
            color="fg.muted"
            fontSize={{ base: "xs", lg: "sm" }}
            truncate
          >
            BGP over WireGuard
          </chakra.p>
        </chakra.div>
        <MenuButton
          menuId={menuId}
          isOpen={isOpen}
          size="sm"
          hideFrom="md"
          onClick={() => setOpen(!isOpen)}
        />
        <chakra.div
          id={menuId}
          display="flex"
          alignItems="center"
          css={{
            mdDown: {
              display: isOpen ? "flex" : "none",
              position: "absolute",
              top: "full",
              insetX: "0",
              px: "2",
              py: "1",
              bg: "bg.panel",
              borderBottomWidth: "1px",
              zIndex: "sticky",
            },
          }}
        >
          <chakra.nav aria-label="Main" display="flex" flex="1">
            {screens.map(({ to, label }) => (
              <NavLink key={to} to={to} activeOptions={{ exact: to === "/" }} onClick={close}>
                {label}
              </NavLink>
            ))}
          </chakra.nav>
          <ColourSchemeButton />
        </chakra.div>
        <ButtonLink to="/manager" size="sm">
          Peering Manager
        </ButtonLink>
      </chakra.div>
    </chakra.header>
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
