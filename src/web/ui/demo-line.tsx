import { chakra } from "@chakra-ui/react/styled-system";
import { ExternalLink } from "./link.tsx";

/** Says on every screen of a demo what is not real. */
export function DemoLine() {
  return (
    <chakra.p
      px={{ base: "4", md: "6" }}
      py="1.5"
      fontSize="xs"
      color="fg.muted"
      bg="bg.subtle"
      borderBottomWidth="1px"
      textAlign="center"
    >
      This is a demo network with simulated routers. Mail is kept in the{" "}
      <ExternalLink href="/demo/outbox">outbox</ExternalLink>.
    </chakra.p>
  );
}
