import { chakra } from "@chakra-ui/react/styled-system";
import { Outlet } from "@tanstack/react-router";
import { useProvider } from "../../api/provider.ts";
import { BrandLink } from "../../ui/brand.tsx";
import { ColourSchemeButton } from "../../ui/colour-scheme-button.tsx";
import { DemoLine } from "../../ui/demo-line.tsx";

/** Centred, with nothing to look at besides the form. */
export function PlainLayout() {
  const { name, demo } = useProvider();
  return (
    <chakra.div display="flex" flexDirection="column" flex="1 0 auto">
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
      {demo && <DemoLine />}
    </chakra.div>
  );
}
