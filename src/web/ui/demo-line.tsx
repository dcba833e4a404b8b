import { chakra } from "@chakra-ui/react/styled-system";
import { ExternalLink } from "./link.tsx";

/** Says on every screen of a demo what is not real. */
export function DemoLine() {
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
      Demo network with simulated routers.{" "}
      <chakra.span whiteSpace="nowrap">
        <ExternalLink href="/demo/outbox">Demo mail</ExternalLink> ·{" "}
        <ExternalLink href="/demo">Demo nodes</ExternalLink>
      </chakra.span>
    </chakra.aside>
  );
}
