import { chakra } from "@chakra-ui/react/styled-system";
import { lazy, Suspense } from "react";
import { Skeleton } from "#web/ui/feedback/loading.tsx";
import type { Fix } from "../../fix/fix-toggle.tsx";

/** Loaded on demand, with the overview: a chunk of its own would make the first route's list of files longer. */
const FixDetails = lazy(async () => {
  const { FixDetails: component } = await import("../../overview/peer-overview.tsx");
  return { default: component };
});

/** Above the link that covers the row. */
const Below = chakra("div", {
  base: {
    position: "relative",
    zIndex: 1,
    gridColumn: "1 / -1",
    minWidth: "0",
    mt: { base: "1", md: "2" },
    mb: "1",
  },
});

export interface RowFixProps {
  readonly fix: Fix;
  readonly username: string;
  readonly node: string;
}

/** What to do about a peering, below the cells of its row. */
export function RowFix(props: RowFixProps) {
  return (
    <Below>
      <Suspense
        fallback={
          <div id={props.fix.panelId}>
            <Skeleton height="6rem" />
          </div>
        }
      >
        <FixDetails {...props} isFramed />
      </Suspense>
    </Below>
  );
}
