import { chakra } from "@chakra-ui/react/styled-system";
import { useProvider } from "../../api/provider.ts";

export interface NodeButtonProps {
  readonly name: string;
  readonly chosen: boolean;
  /** This AS peers with the node already. */
  readonly peered: boolean;
  readonly onChoose: () => void;
}

const Choice = chakra("button", {
  base: {
    display: "block",
    minWidth: "0",
    px: "3",
    py: "2",
    textAlign: "start",
    bg: "bg.panel",
    borderWidth: "1px",
    borderColor: "border.emphasized",
    borderRadius: "md",
    cursor: "pointer",
    "&:hover:not([aria-pressed=true], :disabled)": { borderColor: "fg.subtle" },
    _pressed: { borderColor: "accent", bg: "accent.subtle" },
    _disabled: { cursor: "not-allowed", bg: "bg.subtle", borderColor: "border", color: "fg.muted" },
    "& > span": { display: "block" },
    "& > :first-child": { fontFamily: "mono", overflowWrap: "anywhere" },
    "& > :last-child": { fontSize: "sm", color: "fg.muted" },
  },
});

export function NodeButton({ name, chosen, peered, onChoose }: NodeButtonProps) {
  const { domain, nodes } = useProvider();
  const place = nodes.find((node) => node.name === name)?.place ?? "";
  return (
    <Choice type="button" aria-pressed={chosen} disabled={peered} onClick={onChoose}>
      <span>{`${name}.${domain}`}</span>
      <span>{[place, peered ? "already peered" : ""].filter((each) => each !== "").join(" · ")}</span>
    </Choice>
  );
}
