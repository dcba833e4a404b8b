import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { useProvider } from "../../api/provider.ts";
import { StartingSteps } from "./starting-steps.tsx";

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <chakra.section minWidth="0">
      <chakra.h2 mb="3" fontSize="lg" fontWeight="semibold" letterSpacing="tight">
        {title}
      </chakra.h2>
      {children}
    </chakra.section>
  );
}

const Paragraph = chakra("p", {
  base: { color: "fg.muted", lineHeight: "relaxed", maxWidth: "prose", _notFirst: { mt: "3" } },
});

const needs = [
  ["An AS number", "with address blocks and an e-mail address in the registry of the network."],
  [
    "A router",
    "that is always on: any machine with Linux or BSD will do. The Internet must reach it at an address or a host name, on one UDP port.",
  ],
  ["WireGuard", "for the tunnel. No other kind is supported."],
  [
    "BIRD or FRR",
    "or another routing daemon that speaks BGP. The manager writes the part for BIRD out for you.",
  ],
] as const;

/** What somebody who has never peered needs to know, in the order in which they will ask. */
export function Newcomers() {
  const { name } = useProvider();
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" }}
      columnGap="16"
      rowGap="10"
      alignItems="start"
    >
      <Section title="What this network is">
        <Paragraph>
          An Internet in small, of the dn42 kind, that its participants run themselves. Everyone has an AS
          number and private addresses (172.20.0.0/14 and others, fd00::/8) from a common registry, announces
          them to their neighbours with BGP, and passes on what they hear from others. The links between them
          are VPN tunnels over the Internet that you know.
        </Paragraph>
        <Paragraph>
          It works as the large one does, and it is not part of it: here a mistake costs nobody their
          connection, and somebody will tell you what it was. One peering with {name} is enough to reach
          everybody; more of them, with us or with others, make your routes shorter and your network hold when
          one of them fails.
        </Paragraph>
      </Section>
      <Section title="What you need">
        <chakra.ul display="grid" gap="2.5" maxWidth="prose">
          {needs.map(([what, text]) => (
            <li key={what}>
              <chakra.strong fontWeight="semibold">{what}</chakra.strong>{" "}
              <chakra.span color="fg.muted">{text}</chakra.span>
            </li>
          ))}
        </chakra.ul>
      </Section>
      <chakra.div gridColumn={{ md: "1 / -1" }}>
        <Section title="What happens, in this order">
          <StartingSteps />
        </Section>
      </chakra.div>
    </chakra.div>
  );
}
