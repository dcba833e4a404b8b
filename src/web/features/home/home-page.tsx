import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { useLoggedInAs } from "../../api/login-session.ts";
import { useNodeHost, useProvider } from "../../api/provider.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { usePageTitle } from "../../ui/layout/headings.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { TextLink } from "../../ui/text/link.tsx";
import { Newcomers } from "./newcomers.tsx";

export function HomePage() {
  const { name, asn } = useProvider();
  const heading = usePageTitle("Home");
  const isLoggedIn = useLoggedInAs() !== null;
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
            via BGP. It is a place to learn how the Internet works, on real routers, with people who like to
            talk about it.
          </chakra.p>
          <chakra.div mt="7" display="flex" flexWrap="wrap" gap="3">
            <ButtonLink to="/manager" tone="primary" size="lg">
              Go to Peering Manager
            </ButtonLink>
            {!isLoggedIn && (
              <ButtonLink to="/register" size="lg">
                Register
              </ButtonLink>
            )}
          </chakra.div>
        </chakra.div>
        <NodesPanel />
      </chakra.div>
      <Newcomers />
      <Network />
    </chakra.div>
  );
}

export function NodesPanel() {
  const { nodes } = useProvider();
  const hostOf = useNodeHost();
  return (
    <Panel
      title="Nodes"
      actions={
        <chakra.span color="fg.muted" fontSize="sm">
          {nodes.length}
        </chakra.span>
      }
      flush
    >
      <chakra.ul>
        {nodes.map(({ name, place }) => (
          <chakra.li
            key={name}
            display="flex"
            alignItems="baseline"
            justifyContent="space-between"
            columnGap="4"
            px={{ base: "4", md: "5" }}
            py="2.5"
            _notFirst={{ borderTopWidth: "1px" }}
          >
            <chakra.span fontFamily="mono" fontSize="sm" overflowWrap="anywhere">
              {name}
              <chakra.span color="fg.subtle">{hostOf(name).slice(name.length)}</chakra.span>
            </chakra.span>
            <chakra.span color="fg.muted" fontSize="sm" textAlign="end" flexShrink={1000}>
              {place}
            </chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
      <chakra.p
        display="flex"
        flexWrap="wrap"
        columnGap="5"
        px={{ base: "4", md: "5" }}
        py="2.5"
        borderTopWidth="1px"
      >
        <TextLink to="/map">Show on the map</TextLink>
        <TextLink to="/status">Node status</TextLink>
      </chakra.p>
    </Panel>
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
      gridTemplateColumns={{ base: "minmax(0, 1fr)", md: "repeat(3, minmax(0, 1fr))" }}
      gap={{ base: "8", md: "10" }}
      pt={{ base: "8", md: "10" }}
      borderTopWidth="1px"
    >
      <Topic title="Nodes in several regions">
        Our nodes are virtual machines in several regions of the world. You can have one peering with each
        node, and change or delete it at any time.
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
