import { chakra } from "@chakra-ui/react/styled-system";
import { useProvider } from "../../api/provider.ts";

export interface NodeButtonProps {
  readonly name: string;
  readonly chosen: boolean;
  /** This AS peers with the node already. */
  readonly peered: boolean;
  readonly onChoose: () => void;
}

export function NodeButton({ name, chosen, peered, onChoose }: NodeButtonProps) {
  const { domain, nodes } = useProvider();
  const place = nodes.find((node) => node.name === name)?.place ?? "";
  return (
    <chakra.button
      type="button"
      aria-pressed={chosen}
      disabled={peered}
      onClick={onChoose}
      display="block"
      minWidth="0"
      px="3"
      py="2"
      textAlign="start"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border.emphasized"
      borderRadius="md"
      cursor="pointer"
      css={{ "&:hover:not([aria-pressed=true], :disabled)": { borderColor: "fg.subtle" } }}
      _pressed={{ borderColor: "accent", bg: "accent.subtle" }}
      _disabled={{ cursor: "not-allowed", bg: "bg.subtle", borderColor: "border", color: "fg.muted" }}
    >
      <chakra.span display="block" fontFamily="mono" overflowWrap="anywhere">
        {`${name}.${domain}`}
      </chakra.span>
      <chakra.span display="block" fontSize="sm" color="fg.muted">
        {[place, peered ? "already peered" : ""].filter((each) => each !== "").join(" · ")}
      </chakra.span>
    </chakra.button>
  );
}
