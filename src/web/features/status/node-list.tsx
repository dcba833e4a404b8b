import { chakra } from "@chakra-ui/react/styled-system";
import { NodeRow, type NodeRowProps } from "./node-row.tsx";

/** The columns of a wide screen, the same for the heads and every row. */
const columns = "minmax(0, 1fr) 11rem 16.875rem 8rem 0.75rem";

const Heads = chakra("div", {
  base: {
    display: "grid",
    gridTemplateColumns: columns,
    columnGap: "4",
    px: "5",
    py: "2",
    borderBottomWidth: "1px",
    fontSize: "xs",
    color: "fg.muted",
    "& > :nth-of-type(4)": { textAlign: "end" },
  },
});

/** Styled as a whole, since every styled element costs time. Below `lg` a row has three lines, and no heads. */
const List = chakra("ul", {
  base: {
    overflow: "hidden",
    borderBottomRadius: "lg",
    "& > li + li": { borderTopWidth: "1px" },
    "& .row": {
      display: "grid",
      gridTemplateColumns: { base: "minmax(0, 1fr) auto 0.75rem", lg: columns },
      gridTemplateAreas: {
        base: `"name state mark" "about about about" "past past past"`,
        lg: `"name state strip uptime mark" "place reason strip uptime mark"`,
      },
      alignItems: "center",
      alignContent: "center",
      columnGap: { base: "2", lg: "4" },
      rowGap: { base: "1", lg: "0" },
      minHeight: "3.5rem",
      px: { base: "4", md: "5" },
      py: "2",
      "& > *": { minWidth: "0" },
    },
    "& summary": {
      cursor: "pointer",
      listStyle: "none",
      "&::-webkit-details-marker": { display: "none" },
      _focusVisible: { outlineOffset: "-2px" },
    },
    "& .name :last-child": { color: "fg.subtle" },
    "& summary:hover": { bg: "bg.subtle", "& .name :last-child": { color: "fg.muted" } },
    "& .mark": { gridArea: "mark", color: "fg.muted" },
    "& [open] > summary .mark": { transform: "rotate(90deg)" },
    "& .name": { gridArea: "name", fontFamily: "mono", overflowWrap: "anywhere" },
    // The second and the third line of a narrow screen.
    "& .about, & .past": { display: { base: "flex", lg: "contents" }, alignItems: "center", columnGap: "2" },
    "& .about": { gridArea: "about" },
    // On a small phone the uptime is below the strip.
    "& .past": { gridArea: "past", flexWrap: "wrap" },
    "& .place": {
      gridArea: "place",
      justifySelf: "start",
      minWidth: "0",
      fontSize: "sm",
      color: "fg.muted",
      // The reason beside it arrives later and must not add a line. An open row shows the whole place.
      overflow: "hidden",
      textOverflow: "ellipsis",
      whiteSpace: { base: "nowrap", lg: "normal" },
    },
    "& [open] .place": { whiteSpace: "normal" },
    // Not a line of text, which would be higher than its placeholder.
    "& .state": { gridArea: "state", display: "grid", justifySelf: { base: "end", lg: "start" } },
    // A state without a reason is in the middle of its row.
    "& .state.alone": { gridRowEnd: { lg: "span 2" } },
    "& .reason": {
      gridArea: "reason",
      ms: { base: "auto", lg: "0" },
      fontSize: "xs",
      color: "fg.muted",
      whiteSpace: "nowrap",
    },
    "& .problem": { gridColumn: "1 / -1", fontSize: "sm" },
    "& .strip": {
      gridArea: "strip",
      display: "block",
      flex: "1 1 8.5rem",
      width: "full",
      minWidth: "0",
      height: "1.25rem",
    },
    "& .uptime": {
      gridArea: "uptime",
      // The strips of all rows have the same width.
      flex: "none",
      width: "8rem",
      ms: "auto",
      minHeight: "1.5em",
      textAlign: "end",
      whiteSpace: "nowrap",
      fontVariantNumeric: "tabular-nums",
    },
    "& .days": { display: { lg: "block" }, fontSize: "xs", color: "fg.muted" },
    // The head of the column says it.
    "& .days.all": { display: { lg: "none" } },
  },
});

/** The nodes as rows: state, the last 90 days, the share of responses. A row opens the details of its node. */
export function NodeList({ nodes }: { readonly nodes: readonly NodeRowProps[] }) {
  return (
    <>
      <Heads aria-hidden hideBelow="lg">
        <span>Node</span>
        <span>State</span>
        <span>Last 90 days</span>
        <span>Responding, 90 days</span>
        <span />
      </Heads>
      <List>
        {nodes.map((node) => (
          <NodeRow key={node.host} {...node} />
        ))}
      </List>
    </>
  );
}
