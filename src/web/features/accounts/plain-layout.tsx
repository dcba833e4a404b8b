import { chakra } from "@chakra-ui/react/styled-system";
import { Outlet } from "@tanstack/react-router";
import { useProvider } from "../../api/provider.ts";
import { DemoBanner } from "../../ui/feedback/demo-banner.tsx";
import { BrandLink } from "../../ui/layout/brand.tsx";
import { SkipLink, skipTarget } from "../../ui/layout/skip-link.tsx";
import { ColourSchemeButton } from "../../ui/theme/colour-scheme.tsx";

/** The plain centred layout of the account screens. */
export function PlainLayout() {
  const { name, demo } = useProvider();
  return (
    <chakra.div display="flex" flexDirection="column" flex="1 0 auto">
      <SkipLink />
      <chakra.header
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        height="14"
        px={{ base: "4", md: "6" }}
      >
        <BrandLink name={name} />
        <ColourSchemeButton />
      </chakra.header>
      <chakra.main
        {...skipTarget}
        flex="1"
        width="full"
        maxWidth="form"
        mx="auto"
        px={{ base: "4", sm: "0" }}
        pt={{ base: "6", md: "16" }}
        pb="16"
      >
        <chakra.div
          bg={{ sm: "bg.panel" }}
          borderWidth={{ sm: "1px" }}
          borderRadius="lg"
          boxShadow={{ sm: "panel" }}
          p={{ sm: "7" }}
        >
          <Outlet />
        </chakra.div>
      </chakra.main>
      {demo && <DemoBanner />}
    </chakra.div>
  );
}
