import { chakra } from "@chakra-ui/react/styled-system";

const steps = [
  ["Register", "with your AS number. A link goes to the e-mail address that the registry has for it."],
  ["Choose a node", "near you, and enter your endpoint and your WireGuard public key."],
  ["Copy our side", "into your router. The manager shows when the tunnel and the BGP session are up."],
] as const;

export function StartingSteps() {
  return (
    <chakra.ol mt="10" display="grid" gap="3" maxWidth="prose">
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
