import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

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

const needs = [
  ["An AS number", "with address blocks and an email address in the network's registry."],
  [
    "A router",
    "that is always on. Any Linux or BSD machine will do. It must be reachable from the Internet at an address or hostname, on one UDP port.",
  ],
  ["WireGuard", "for the tunnel. No other protocol is supported."],
  [
    "BIRD or FRR",
    "or another routing daemon that speaks BGP. The manager generates your BIRD configuration.",
  ],
] as const;

/** For readers who have never peered before. */
export function Newcomers() {
  return (
    <>
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
      <Section title="How it works, step by step">
        <StartingSteps />
      </Section>
    </>
  );
}

const steps = [
  [
    "Register",
    "with your AS number. We send a link to the email address in the registry; use it to set a password.",
  ],
  ["Choose a node", "near you, and IPv4, IPv6 or both."],
  ["Enter your details:", "your router's address, UDP port, WireGuard public key and tunnel addresses."],
  ["The node is configured", "while you watch. It takes seconds; if anything fails, nothing changes."],
  ["Copy the generated configuration", "to your router: files for WireGuard and BIRD."],
  [
    "The tunnel and the session come up,",
    "and routes arrive. If they do not, the manager shows what is wrong, and which of your routes are refused and why.",
  ],
] as const;

export function StartingSteps() {
  return (
    <chakra.ol
      display="grid"
      gridTemplateColumns={{
        base: "minmax(0, 1fr)",
        md: "repeat(2, minmax(0, 1fr))",
        lg: "repeat(3, minmax(0, 1fr))",
      }}
      columnGap="8"
      rowGap="4"
    >
      {steps.map(([title, text], index) => (
        <chakra.li key={title} display="flex" gap="3">
          <chakra.span
            aria-hidden
            display="inline-grid"
            placeItems="center"
            flexShrink={0}
            boxSize="5"
            mt="px"
            borderWidth="1px"
            borderColor="border.emphasized"
            borderRadius="full"
            fontSize="xs"
            color="fg.muted"
          >
            {index + 1}
          </chakra.span>
          <span>
            <chakra.strong fontWeight="semibold">{title}</chakra.strong>{" "}
            <chakra.span color="fg.muted">{text}</chakra.span>
          </span>
        </chakra.li>
      ))}
    </chakra.ol>
  );
}
