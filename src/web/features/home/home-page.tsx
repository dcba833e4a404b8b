import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { useNetworkSummary } from "../../api/network/history-queries.ts";
import { useLoggedInAs } from "../../api/login-session.ts";
import { useNodeRows } from "../../api/network/node-rows.ts";
import { useProvider } from "../../api/provider.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { DeferredRender } from "../../ui/layout/first-paint.tsx";
import { usePageTitle } from "../../ui/layout/headings.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { NodeTable, NodeTableFrame } from "../../ui/plots/node-table.tsx";
import { TextLink } from "../../ui/text/link.tsx";
import { NetworkFigures } from "./network-figures.tsx";
import { NetworkPicture } from "./network-picture.tsx";

export function HomePage() {
  const { name } = useProvider();
  const heading = usePageTitle("Home");
  const isLoggedIn = useLoggedInAs() !== null;
  return (
    <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: "10", md: "12" }}>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 23rem) minmax(0, 1fr)" }}
        columnGap="10"
        rowGap="8"
        alignItems="center"
      >
        <div>
          <chakra.h1
            ref={heading}
            tabIndex={-1}
            outline="none"
            fontSize={{ base: "2xl", md: "3xl" }}
            fontWeight="semibold"
            lineHeight="tight"
            letterSpacing="tight"
          >
            Peer with {name}
          </chakra.h1>
          <chakra.p mt="3" fontSize="lg" color="fg.muted">
            {name} is part of a community project where participants set up VPN tunnels to each other and peer
            via BGP. Set up a WireGuard tunnel and a BGP session to any of our nodes, and watch it come up.
          </chakra.p>
          <chakra.div mt="6" display="flex" flexWrap="wrap" gap="3">
            <ButtonLink to="/manager" tone="primary" size="lg">
              Go to Peering Manager
            </ButtonLink>
            {!isLoggedIn && (
              <ButtonLink to="/register" size="lg">
                Register
              </ButtonLink>
            )}
          </chakra.div>
          <NetworkFigures />
        </div>
        <NetworkPicture />
      </chakra.div>
      <DeferredRender>
        <Panel title="Nodes" actions={<NodeLinks />} flush>
          <NodeTableFrame>
            <Nodes />
          </NodeTableFrame>
        </Panel>
        <Network />
      </DeferredRender>
    </chakra.div>
  );
}

/** A component of its own, as all that waits for data, so that the screen is not rendered again when it arrives. */
function Nodes() {
  return <NodeTable rows={useNodeRows(useNetworkSummary())} />;
}

function NodeLinks() {
  return (
    <chakra.span display="flex" columnGap="4" fontSize="sm">
      <TextLink to="/map">Show on the map</TextLink>
      <TextLink to="/status">Node status</TextLink>
    </chakra.span>
  );
}

const listFormat = new Intl.ListFormat("en-US");

function Topic({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <chakra.section>
      <chakra.h2 fontWeight="semibold" mb="2">
        {title}
      </chakra.h2>
      <chakra.p color="fg.muted" lineHeight="relaxed">
        {children}
      </chakra.p>
    </chakra.section>
  );
}

/** The provider's nodes, protocols and services. */
export function Network() {
  const { name, resolver, looking_glass } = useProvider();
  const services = [
    resolver !== "" && "a recursive DNS server",
    looking_glass !== "" && "a BGP looking glass that is reachable only inside the network",
    "an uptime monitor",
  ].filter((service) => service !== false);
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" }}
      gap={{ base: "8", md: "10" }}
      pt={{ base: "8", md: "10" }}
      borderTopWidth="1px"
    >
      <Topic title="What this network is">
        A small-scale internet in the style of dn42, run by its participants, with private addresses from a
        shared registry, separate from the real Internet. One peering with {name} is enough to reach the whole
        network. <TextLink to="/about">What you need, and how it works</TextLink>
      </Topic>
      <Topic title="Nodes in several regions">
        Our nodes are virtual machines in several regions of the world. You can have one peering with each
        node.
      </Topic>
      <Topic title="WireGuard and BGP">
        Only WireGuard tunnels are supported. BGP runs on an open-source routing daemon. IPv4 and IPv6 are
        both supported, with one session per address family or one multiprotocol session with extended next
        hop.
      </Topic>
      <Topic title="Services">
        {name} also runs {listFormat.format(services)}.
      </Topic>
    </chakra.div>
  );
}
