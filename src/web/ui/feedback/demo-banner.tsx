import { chakra } from "@chakra-ui/react/styled-system";
import { ExternalLink } from "../text/link.tsx";

/** Shown on every screen of a demo, with links to what a demo simulates. */
export function DemoBanner() {
  return (
    <chakra.aside
      aria-label="About this demo"
      px={{ base: "4", md: "6" }}
      py="1.5"
      fontSize="xs"
      color="fg.muted"
      bg="bg.subtle"
      borderTopWidth="1px"
      textAlign="center"
    >
      Demo network with simulated routers and history.{" "}
      <chakra.span whiteSpace="nowrap">
        <ExternalLink href="/demo/outbox">Demo mail</ExternalLink> ·{" "}
        <ExternalLink href="/demo">Demo nodes</ExternalLink>
      </chakra.span>
    </chakra.aside>
  );
}
