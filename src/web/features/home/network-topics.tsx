/** Loaded after the first view: it is below the fold, and the first bundle has no room for it. */
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { joinWords } from "#domain/text/join-words.ts";
import { useProvider } from "../../api/provider.ts";
import { TextLink } from "../../ui/text/link.tsx";

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
export function NetworkTopics() {
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
        {name} also runs {joinWords(services)}.
      </Topic>
    </chakra.div>
  );
}
