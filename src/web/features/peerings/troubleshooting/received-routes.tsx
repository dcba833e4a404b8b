import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import type { RefusedRoutes } from "#contract/diagnostics.ts";
import type { ReceivedTab } from "#contract/app/screens.ts";
import { errorMessage } from "#web/api/client.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Tabs } from "#web/ui/layout/tabs.tsx";
import { RefusedRouteTable } from "./refused-route-table.tsx";
import { formatRouteCount } from "./route-listing.ts";
import { RoutesView } from "./routes-view.tsx";

export interface ReceivedRoutesProps {
  readonly output: string;
  /** Null if the server does not report them. */
  readonly refused: PromiseSettledResult<RefusedRoutes | null>;
  readonly tab: ReceivedTab;
  readonly onTab: (tab: ReceivedTab) => void;
  /** Requests both again. */
  readonly onRetry: () => void;
}

/** The routes that the participant announces, as BIRD lists them, and the refused ones with the reasons. */
export function ReceivedRoutes({ output, refused, tab, onTab, onRetry }: ReceivedRoutesProps) {
  const [explained, setExplained] = useState<string | null>(null);
  const explainable = refused.status === "fulfilled" ? (refused.value?.routes ?? []) : [];
  const all = (
    <RoutesView
      output={output}
      label="Routes received from you"
      none="The node receives no routes from you."
      explainable={new Set(explainable.map(({ prefix }) => prefix))}
      onExplain={(prefix) => {
        setExplained(prefix);
        onTab("refused");
      }}
    />
  );
  if (refused.status === "fulfilled" && refused.value === null) return all;
  const known = refused as PromiseSettledResult<RefusedRoutes>;
  return (
    <Tabs<ReceivedTab>
      label="Received routes"
      value={tab}
      onChange={(next) => {
        setExplained(null);
        onTab(next);
      }}
      tabs={[
        { value: "all", label: "All", content: all },
        {
          value: "refused",
          label: refusedLabel(known),
          content:
            known.status === "fulfilled" ? (
              <RefusedRouteList refused={known.value} explained={explained} />
            ) : (
              <Notice tone="error" onRetry={onRetry}>
                The refused routes could not be loaded. {errorMessage(known.reason)}
              </Notice>
            ),
        },
      ]}
    />
  );
}

function refusedLabel(refused: PromiseSettledResult<RefusedRoutes>): string {
  if (refused.status === "rejected") return "Refused";
  const { ipv4, ipv6 } = refused.value.totals;
  return `Refused (${ipv4 + ipv6})`;
}

interface RefusedRouteListProps {
  readonly refused: RefusedRoutes;
  /** The prefix whose reason was asked for in the list of all routes. */
  readonly explained: string | null;
}

/** The participant's routes that the node refuses, with a fix for each. Limits that were hit come first. */
function RefusedRouteList({ refused, explained }: RefusedRouteListProps) {
  const { routes, totals, cut, limits } = refused;
  return (
    <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
      {limits.map((limit) => (
        <Notice key={limit} tone="warning">
          {limit}
        </Notice>
      ))}
      <p>
        {totals.ipv4 + totals.ipv6 === 0
          ? "The node refuses none of your routes."
          : `The node refuses ${formatRouteCount(totals.ipv4, "IPv4 ")} and ${formatRouteCount(totals.ipv6, "IPv6 ")}.`}
        {cut && ` The first ${routes.length} are listed here.`}
      </p>
      {routes.length > 0 && <RefusedRouteTable routes={routes} explained={explained} />}
    </chakra.div>
  );
}
