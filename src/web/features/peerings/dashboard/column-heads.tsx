import { chakra } from "@chakra-ui/react/styled-system";
import { columns } from "./row/row-frame.tsx";
import { columnOf, nextSort, type SortColumn, type PeeringSort } from "./sort-peerings.ts";

const heads: ReadonlyArray<readonly [label: string, column: SortColumn | null]> = [
  ["Node", "node"],
  ["State", "state"],
  ["Path", null],
  ["Last 24 hours", "uptime"],
  ["Latency", "latency"],
  ["Routes", "routes"],
  ["Received, sent", null],
];

const SortButton = chakra("button", {
  base: {
    display: "inline-flex",
    gap: "1",
    // A larger target than the text.
    mx: "-1",
    my: "-1.5",
    px: "1",
    py: "1.5",
    borderRadius: "sm",
    cursor: "pointer",
    whiteSpace: "nowrap",
    _hover: { color: "fg" },
    "[aria-sort] > &": { color: "fg", fontWeight: "medium" },
  },
});

export interface ColumnHeadsProps {
  readonly hasHistory: boolean;
  /** Without it, the heads do not sort. */
  readonly sort?: PeeringSort;
  readonly onSort?: (sort: PeeringSort) => void;
}

/** The heads of the columns of a wide screen. On narrower ones each row explains itself. */
export function ColumnHeads({ hasHistory, sort, onSort }: ColumnHeadsProps) {
  return (
    // A table of its own, because a screen reader has the rows as a list, whose items explain themselves.
    <chakra.div role="table" aria-label="Order of the peerings" hideBelow="xl" borderBottomWidth="1px">
      <chakra.div
        role="row"
        display="grid"
        gridTemplateColumns={columns}
        columnGap="2.5"
        alignItems="end"
        px="5"
        py="2"
        fontSize="xs"
        color="fg.muted"
        css={{ "& > :nth-of-type(n + 5)": { textAlign: "end" } }}
      >
        {heads.map(([label, column]) => (
          <chakra.span
            key={label}
            role="columnheader"
            aria-sort={sort !== undefined && columnOf(sort) === column ? directionOf(sort) : undefined}
          >
            {(column !== "uptime" || hasHistory) && (
              <Head label={label} column={column} sort={sort} onSort={onSort} />
            )}
          </chakra.span>
        ))}
      </chakra.div>
    </chakra.div>
  );
}

interface HeadProps {
  readonly label: string;
  readonly column: SortColumn | null;
  readonly sort: PeeringSort | undefined;
  readonly onSort: ((sort: PeeringSort) => void) | undefined;
}

function Head({ label, column, sort, onSort }: HeadProps) {
  if (column === null || sort === undefined || onSort === undefined) return <>{label}</>;
  return (
    <SortButton type="button" onClick={() => onSort(nextSort(column, sort))}>
      {label}
      {columnOf(sort) === column && <span aria-hidden>{sort === column ? "↑" : "↓"}</span>}
    </SortButton>
  );
}

function directionOf(sort: PeeringSort): "ascending" | "descending" {
  return sort.startsWith("-") ? "descending" : "ascending";
}
