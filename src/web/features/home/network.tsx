import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { useProvider } from "../../api/provider.ts";

const listed = new Intl.ListFormat("en-US");

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

/** What the network is and what runs in it. */
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
        Our nodes are virtual machines in several regions of the world. You can have one peering with each of
        them, and change or remove it at any time.
      </Topic>
      <Topic title="WireGuard and BGP">
        Tunnels are WireGuard, and only WireGuard. BGP runs on an open-source routing daemon. IPv4 and IPv6
        are both supported, in sessions of their own or in one multiprotocol session with extended next hop.
      </Topic>
      <Topic title="Services">
        {name} also runs {listed.format(services)}.
      </Topic>
    </chakra.div>
  );
}
