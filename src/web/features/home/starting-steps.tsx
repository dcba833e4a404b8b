import { chakra } from "@chakra-ui/react/styled-system";

const steps = [
  [
    "Register",
    "with your AS number. A link goes to the e-mail address that the registry has for it; with the link you set a password.",
  ],
  ["Choose a node", "near you, and whether you want IPv4, IPv6 or both."],
  [
    "Enter your side:",
    "the address of your router, its UDP port, its WireGuard public key, and its addresses in the tunnel.",
  ],
  ["The node is set up", "while you watch. That takes seconds; when something is amiss, nothing is changed."],
  ["Copy our side", "into your router: the manager shows it as files for WireGuard and BIRD."],
  [
    "Tunnel and session come up,",
    "and routes arrive. If they do not, the manager tells what is missing, and which of your routes are refused and why.",
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
