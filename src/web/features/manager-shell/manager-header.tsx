import { chakra } from "@chakra-ui/react/styled-system";
import type { KeyboardEventHandler } from "react";
import { useProvider } from "../../api/provider.ts";
import { Logo } from "../../ui/layout/brand.tsx";
import { MenuButton } from "../../ui/layout/menu-button.tsx";
import { ColourSchemeButton } from "../../ui/theme/colour-scheme.tsx";
import { PublicLinks } from "./public-links.tsx";

export interface ManagerHeaderProps {
  readonly username: string;
  readonly menuId: string;
  readonly menuOpen: boolean;
  /** Whether there is room for the links to the public screens. On narrower screens they are in the menu. */
  readonly isWide: boolean;
  readonly onToggleMenu: () => void;
  readonly onKeyDown: KeyboardEventHandler | undefined;
}

/** One line of 56 px: on a phone the title and the AS that is logged in; the menu has the rest. */
export function ManagerHeader({
  username,
  menuId,
  menuOpen,
  isWide,
  onToggleMenu,
  onKeyDown,
}: ManagerHeaderProps) {
  const { name } = useProvider();
  return (
    <chakra.header
      onKeyDown={onKeyDown}
      display="grid"
      gridTemplateColumns={{
        base: "auto auto minmax(0, 1fr) auto",
        // A long name of the provider is cut off before it reaches the links.
        md: "auto auto minmax(0, auto) minmax(auto, 1fr) auto auto",
      }}
      gridTemplateAreas={{
        base: `"menu logo title scheme" "menu logo facts scheme"`,
        md: `"menu logo title links facts scheme"`,
      }}
      alignItems="center"
      alignContent="center"
      columnGap={{ base: "2.5", md: "4" }}
      minHeight="14"
      px={{ base: "3.5", md: "6" }}
      py="1"
      bg="bg.panel"
      borderBottomWidth="1px"
    >
      <MenuButton menuId={menuId} isOpen={menuOpen} gridArea="menu" onClick={onToggleMenu} />
      <chakra.span gridArea="logo">
        <Logo />
      </chakra.span>
      <chakra.div gridArea="title" minWidth="0">
        <chakra.h1 fontWeight="semibold" lineHeight="tight" letterSpacing="tight" truncate>
          {name} Peering Manager
        </chakra.h1>
        <chakra.p hideBelow="md" fontSize="xs" lineHeight="tight" color="fg.muted" truncate>
          Manage your own connections to the {name} network.
        </chakra.p>
      </chakra.div>
      {isWide && (
        <chakra.nav aria-label="Public pages" gridArea="links">
          <PublicLinks direction="row" />
        </chakra.nav>
      )}
      <chakra.dl
        gridArea="facts"
        display="flex"
        columnGap="5"
        fontSize={{ base: "xs", md: "sm" }}
        lineHeight={{ base: "tight", xl: "normal" }}
        flexDirection={{ md: "column", xl: "row" }}
        css={{
          // On a phone only the AS that is logged in, without its label.
          mdDown: { "& > :first-child, & dt": { srOnly: true } },
        }}
      >
        <LoginFacts username={username} />
      </chakra.dl>
      <chakra.span gridArea="scheme">
        <ColourSchemeButton />
      </chakra.span>
    </chakra.header>
  );
}

/** The items of a description list: the network's AS number and the participant's. */
export function LoginFacts({ username }: { readonly username: string }) {
  const { asn } = useProvider();
  return (
    <>
      <Fact label="Network" value={`AS${asn}`} />
      <Fact label="Logged in as" value={`AS${username}`} />
    </>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <chakra.div display="flex" alignItems="baseline" columnGap="1.5" whiteSpace="nowrap">
      <chakra.dt color="fg.muted">{label}</chakra.dt>
      <chakra.dd htmlTranslate="no" fontFamily="mono">
        {value}
      </chakra.dd>
    </chakra.div>
  );
}
