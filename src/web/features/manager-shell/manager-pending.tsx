import { chakra } from "@chakra-ui/react/styled-system";
import { PagePending } from "../../ui/page-pending.tsx";

/** Stands in for the whole manager until it is known who is signed in. */
export function ManagerPending() {
  return (
    <chakra.div flex="1 0 auto">
      <chakra.div minHeight="16" bg="bg.panel" borderBottomWidth="1px" />
      <chakra.div maxWidth="manager" mx="auto" px={{ base: "4", md: "8" }} py={{ base: "6", md: "8" }}>
        <PagePending />
      </chakra.div>
    </chakra.div>
  );
}
