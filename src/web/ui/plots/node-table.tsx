import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { halfHourMs } from "#contract/history.ts";
import { formatShare, type NodeTableRow } from "#domain/plot.ts";
import { bubbleState, StatusBubble } from "../feedback/status-bubble.tsx";
import { UptimeStrip } from "./uptime-strip.tsx";

/** Rows of two lines, without visible heads: on a phone, and in the map's popup. The state and the uptime are in a column. */
export const stackedRows = {
  "& table, & tbody": { display: "block" },
  "& thead": { srOnly: true },
  "& tbody tr": {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) 5.5rem",
    alignItems: "center",
    columnGap: "3",
    rowGap: "1",
    px: "4",
    py: "2",
  },
  "& tbody tr:first-of-type": { borderTopWidth: "0" },
  "& td:nth-of-type(n)": { height: "auto", p: "0" },
  "& td:nth-of-type(even)": { justifySelf: "end" },
  "& .node": { flexDirection: "column" },
  "& .wide": { display: "none" },
};

/** Around the table, so that its styles are not computed again with each response; every styled element costs time. */
export const NodeTableFrame = chakra("div", {
  base: {
    "& table": { width: "full", borderCollapse: "collapse", textAlign: "start" },
    "& th": {
      py: "2",
      fontSize: "xs",
      fontWeight: "normal",
      color: "fg.muted",
      textAlign: "start",
      whiteSpace: "nowrap",
    },
    "& td": { height: "3.25rem", py: "1.5" },
    "& th, & td": { px: "3" },
    "& :is(th, td):first-of-type": { ps: { base: "4", md: "5" } },
    "& :is(th, td):last-of-type": { pe: { base: "4", md: "5" } },
    "& tbody tr": { borderTopWidth: "1px" },
    "& .name": {
      fontFamily: "mono",
      fontSize: "sm",
      overflowWrap: "anywhere",
      "& :last-child": { color: "fg.subtle" },
    },
    "& .place": { color: "fg.muted", fontSize: "sm" },
    "& .number": { textAlign: "end", whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" },
    // The name has its place whether the other columns are known or not.
    "& .node": {
      width: { md: "12rem", lg: "22rem" },
      display: "flex",
      flexWrap: "wrap",
      alignItems: "baseline",
      columnGap: "2",
    },
    lgDown: { "& .widest": { display: "none" } },
    mdDown: {
      ...stackedRows,
      // As high as with the strip below the name, so that nothing moves when it arrives, or turns out to be missing.
      "& .bare td": { pb: "6" },
      // The head of the column says it on a wide screen.
      "& .number::after": { content: '" · 90 d"', fontSize: "xs", color: "fg.muted" },
    },
  },
});

export interface NodeTableProps {
  readonly rows: readonly NodeTableRow[];
}

interface Column {
  /** A column whose value is null in every row is left out. */
  readonly key: keyof NodeTableRow;
  readonly title: string;
  readonly className?: string;
  readonly cell: (row: NodeTableRow) => ReactNode;
}

const columns: readonly Column[] = [
  {
    key: "name",
    title: "Node",
    cell: ({ name, domainSuffix, place }) => (
      <div className="node">
        <span translate="no" className="name">
          {name}
          <wbr />
          <span>{domainSuffix}</span>
        </span>
        <bdi className="place">{place}</bdi>
      </div>
    ),
  },
  {
    key: "state",
    title: "State",
    cell: ({ state }) => state !== null && <StatusBubble state={bubbleState(state)} word={state} />,
  },
  {
    key: "shares",
    title: "Last 24 hours",
    cell: ({ name, shares, from }) =>
      shares && <UptimeStrip shares={shares} from={from} stepMs={halfHourMs} label={name} />,
  },
  {
    key: "uptime",
    title: "Responding, 90 days",
    className: "number",
    cell: ({ uptime }) => (uptime === null ? "–" : formatShare(uptime)),
  },
  { key: "peerings", title: "Peerings", className: "number wide", cell: ({ peerings }) => peerings ?? "–" },
  { key: "newPeers", title: "New peers", className: "wide widest", cell: ({ newPeers }) => newPeers ?? "–" },
];

/** The nodes as rows in a `NodeTableFrame`: state, the last 24 hours, uptime, peerings. */
export function NodeTable({ rows }: NodeTableProps) {
  const shown = columns.filter(({ key }) => rows.some((row) => row[key] !== null));
  return (
    // eslint-disable-next-line jsx-a11y/no-redundant-roles -- `display: block` takes the role away on a phone
    <table role="table">
      <thead>
        <tr>
          {shown.map(({ key, title, className }) => (
            <th key={key} scope="col" className={className}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} className={row.shares === null ? "bare" : ""}>
            {shown.map(({ key, className, cell }) => (
              <td key={key} className={className}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
