import { chakra } from "@chakra-ui/react/styled-system";
import { ButtonLink } from "#web/ui/forms/button.tsx";
import { wizardLink } from "../screen-links.ts";

const needs: ReadonlyArray<readonly [what: string, detail: string]> = [
  ["The public address of your router", "An IPv4 address or a hostname, and a free UDP port for WireGuard."],
  ["A WireGuard key pair", "You enter the public key. The private key stays on your router."],
  ["A tunnel address", "A link-local IPv6 address such as fe80::1, or an IPv4 address of your network."],
  ["A BGP daemon", "BIRD, FRR, OpenBGPD or RouterOS, with the routes that you announce."],
];

/** What a participant needs for the first peering, and its first step. */
export function EmptyList() {
  return (
    <>
      <p>
        You don't appear to have any peerings yet. Try out the 'Create new peering' button above to get
        started!
      </p>
      <chakra.h3 mt="5" mb="2" fontWeight="semibold">
        What you need
      </chakra.h3>
      <chakra.dl
        display="grid"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", md: "16rem minmax(0, 1fr)" }}
        columnGap="4"
        rowGap={{ base: "0", md: "2" }}
      >
        {needs.map(([what, detail]) => (
          <chakra.div key={what} display="contents">
            <dt>{what}</dt>
            <chakra.dd mb={{ base: "2", md: "0" }} color="fg.muted">
              {detail}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
      <ButtonLink {...wizardLink("new")} mt="5">
        Select a node
      </ButtonLink>
    </>
  );
}
