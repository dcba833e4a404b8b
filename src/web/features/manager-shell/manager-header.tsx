import { chakra } from "@chakra-ui/react/styled-system";
import { useProvider } from "../../api/provider.ts";
import { Button } from "../../ui/forms/button.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import { ColourSchemeButton } from "../../ui/theme/colour-scheme.tsx";

export interface ManagerHeaderProps {
  readonly username: string;
  readonly menuId: string;
  readonly menuOpen: boolean;
  readonly onToggleMenu: () => void;
}

export function ManagerHeader({ username, menuId, menuOpen, onToggleMenu }: ManagerHeaderProps) {
  const { name, asn } = useProvider();
  return (
    <chakra.header
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap={{ base: "3", md: "4" }}
      minHeight="16"
      px={{ base: "4", md: "5" }}
      py="2.5"
      bg="bg.panel"
      borderBottomWidth="1px"
    >
      <Button
        aria-expanded={menuOpen}
        aria-controls={menuId}
        onClick={onToggleMenu}
        px="0"
        width="9"
        fontSize="xl"
      >
        =<VisuallyHidden> menu</VisuallyHidden>
      </Button>
      <chakra.div flex="1 1 12rem" minWidth="0">
        <chakra.h1
          fontSize={{ base: "md", md: "lg" }}
          fontWeight="semibold"
          lineHeight="tight"
          letterSpacing="tight"
        >
          {name} Peering Manager
        </chakra.h1>
        <chakra.p fontSize={{ base: "xs", md: "sm" }} color="fg.muted">
          Manage your own connections to the {name} network.
        </chakra.p>
      </chakra.div>
      <chakra.dl
        display="flex"
        flexWrap="wrap"
        columnGap={{ base: "3", md: "6" }}
        flexBasis={{ base: "full", md: "auto" }}
        order={{ base: 1, md: 0 }}
        mt={{ base: "2", md: "0" }}
        pt={{ base: "2", md: "0" }}
        borderTopWidth={{ base: "1px", md: "0" }}
        fontSize={{ base: "xs", md: "sm" }}
      >
        <Fact label="Network" value={`AS${asn}`} />
        <Fact label="Logged in as" value={`AS${username}`} />
      </chakra.dl>
      <ColourSchemeButton />
    </chakra.header>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <chakra.div
      display="flex"
      flexDirection={{ base: "row", md: "column", lg: "row" }}
      alignItems={{ base: "baseline", md: "stretch", lg: "baseline" }}
      columnGap={{ base: "1.5", lg: "2" }}
    >
      <chakra.dt color="fg.muted" fontSize={{ base: "xs", lg: "sm" }}>
        {label}
      </chakra.dt>
      <chakra.dd fontFamily="mono">{value}</chakra.dd>
    </chakra.div>
  );
}
