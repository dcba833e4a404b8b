import { chakra } from "@chakra-ui/react/styled-system";
import { Skeleton } from "#web/ui/feedback/loading.tsx";
import { FilterFrame } from "./filter-bar.tsx";
import { filterFrom } from "./filter-peerings.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { NodeCell, RowFrame, Small, StateCells } from "./row/row-frame.tsx";

/** Shown until it is known which peerings there are. */
const unknownNodes = [null, null, null];

/** As high as a line of text, with the bar in its middle. */
const Line = chakra("span", { base: { display: "flex", alignItems: "center", height: "1lh" } });

export interface LoadingListProps {
  /** The nodes with a peering, if they are known. */
  readonly nodes: readonly (string | null)[] | undefined;
  readonly hasHistory: boolean;
}

/** Keeps the place of the rows. Hidden from screen readers, which have the loader's text. */
export function LoadingList({ nodes = unknownNodes, hasHistory }: LoadingListProps) {
  return (
    // Another one for the names, so that nothing moves when a filter comes above them.
    <div key={nodes.length} aria-hidden>
      {nodes.length >= filterFrom && (
        <FilterFrame>
          <Skeleton width="14rem" height="2.5rem" />
        </FilterFrame>
      )}
      <ColumnHeads hasHistory={hasHistory} />
      <ul>
        {nodes.map((node, index) => (
          <RowFrame key={node ?? index}>
            {node === null ? (
              <chakra.div gridArea="node">
                <Bar width="11rem" />
                <Small>
                  <Bar width="7rem" />
                </Small>
              </chakra.div>
            ) : (
              <NodeCell node={node} />
            )}
            <StateCells bubble={<Skeleton width="3.5rem" height="1.35rem" />} sentence={null} />
            {["path", "latency"].map((area) => (
              <chakra.span key={area} gridArea={area}>
                <Bar width="70%" />
              </chakra.span>
            ))}
            {["uptime", "routes", "traffic"].map((area) => (
              <chakra.span key={area} gridArea={area} hideBelow="xl">
                <Bar width="70%" />
              </chakra.span>
            ))}
            <chakra.span gridArea="view">
              <Skeleton width="3.5rem" height="2.25rem" />
            </chakra.span>
          </RowFrame>
        ))}
      </ul>
    </div>
  );
}

function Bar({ width }: { readonly width: string }) {
  return (
    <Line>
      <Skeleton height="0.7em" width={width} />
    </Line>
  );
}
