import { chakra } from "@chakra-ui/react/styled-system";
import { useProvider } from "../../api/provider.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { usePageTitle } from "../../ui/pages.tsx";
import { Network } from "./network.tsx";
import { Newcomers } from "./newcomers.tsx";
import { NodesPanel } from "./nodes-panel.tsx";

export function HomePage() {
  const { name, asn } = useProvider();
  const heading = usePageTitle("Home");
  return (
    <chakra.div display="grid" gap={{ base: "12", md: "16" }}>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 1fr) minmax(0, 25rem)" }}
        columnGap="16"
        rowGap="10"
        alignItems="start"
      >
        <chakra.div>
          <chakra.p fontFamily="mono" fontSize="sm" color="fg.muted">
            AS{asn}
          </chakra.p>
          <chakra.h1
            ref={heading}
            tabIndex={-1}
            outline="none"
            mt="2"
            fontSize={{ base: "2xl", md: "3xl" }}
            fontWeight="semibold"
            lineHeight="tight"
            letterSpacing="tight"
          >
            Peer with {name}
          </chakra.h1>
          <chakra.p mt="4" fontSize="lg" lineHeight="relaxed" color="fg.muted" maxWidth="prose">
            {name} is part of a community project where participants set up VPN tunnels to each other and peer
            via BGP. It is a place to learn how the Internet is put together, on real routers, with people who
            like to talk about it.
          </chakra.p>
          <chakra.div mt="7" display="flex" flexWrap="wrap" gap="3">
            <ButtonLink to="/manager" tone="primary" size="lg">
              Go to Peering Manager
            </ButtonLink>
            <ButtonLink to="/register" size="lg">
              Register
            </ButtonLink>
          </chakra.div>
        </chakra.div>
        <NodesPanel />
      </chakra.div>
      <Newcomers />
      <Network />
    </chakra.div>
  );
}
