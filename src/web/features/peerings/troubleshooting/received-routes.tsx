import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import type { RefusedRoute, RefusedRoutes } from "../../../../contract/diagnostics.ts";
import type { ReceivedTab } from "../../../../contract/app/screens.ts";
import { errorMessage } from "../../../api/client.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { StatusBubble } from "../../../ui/feedback/status-bubble.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { CopyText } from "../../../ui/text/copy-text.tsx";
import { KeyValueList } from "../../../ui/text/key-value-list.tsx";
import { shortenAsPath } from "./as-path.ts";
import { formatRouteCount } from "./route-listing.ts";
import { RoutesView } from "./routes-view.tsx";

export interface ReceivedRoutesProps {
  readonly output: string;
  /** Null if the server does not report them. */
  readonly refused: PromiseSettledResult<RefusedRoutes | null>;
  readonly tab: ReceivedTab;
  readonly onTab: (tab: ReceivedTab) => void;
}

/** The routes that the participant announces, as BIRD lists them, and the refused ones with the reasons. */
export function ReceivedRoutes({ output, refused, tab, onTab }: ReceivedRoutesProps) {
  const all = (
    <RoutesView
      output={output}
      label="Routes received from you"
      none="The node receives no routes from you."
    />
  );
  if (refused.status === "fulfilled" && refused.value === null) return all;
  const known = refused as PromiseSettledResult<RefusedRoutes>;
  return (
    <Tabs<ReceivedTab>
      label="Received routes"
      value={tab}
      onChange={onTab}
      tabs={[
        {
          value: "all",
          label: "All",
          content: all,
        },
        { value: "refused", label: refusedLabel(known), content: <RefusedTab refused={known} /> },
      ]}
    />
  );
}

function RefusedTab({ refused }: { readonly refused: PromiseSettledResult<RefusedRoutes> }) {
  return refused.status === "fulfilled" ? (
    <RefusedRouteList refused={refused.value} />
  ) : (
    <Notice tone="error">
      The refused routes could not be loaded. Close this and try again. {errorMessage(refused.reason)}
    </Notice>
  );
}

function refusedLabel(refused: PromiseSettledResult<RefusedRoutes>): string {
  if (refused.status === "rejected") return "Refused";
  const { ipv4, ipv6 } = refused.value.totals;
  return `Refused (${ipv4 + ipv6})`;
}

/** Routes shown at first, and added by each press of the button. */
const pageSize = 100;

/** The participant's routes that the node refuses, with a fix for each. Limits that were hit come first. */
function RefusedRouteList({ refused }: { readonly refused: RefusedRoutes }) {
  const { routes, totals, cut, limits } = refused;
  const [shown, setShown] = useState(pageSize);
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
      <chakra.ul borderWidth={routes.length > 0 ? "1px" : undefined} borderRadius="md">
        {routes.slice(0, shown).map((route, index) => (
          // A prefix may be refused on two sessions. The list itself never changes.
          // eslint-disable-next-line react/no-array-index-key
          <RefusedRouteItem key={index} route={route} />
        ))}
      </chakra.ul>
      {shown < routes.length && (
        <Button onClick={() => setShown(shown + pageSize)} justifySelf="start">
          Show {Math.min(pageSize, routes.length - shown)} more
        </Button>
      )}
    </chakra.div>
  );
}

function RefusedRouteItem({ route }: { readonly route: RefusedRoute }) {
  const { prefix, reason, explanation, object, fix, as_path } = route;
  return (
    <chakra.li display="grid" gap="2" px="3" py="3" _notFirst={{ borderTopWidth: "1px" }}>
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="2">
        <chakra.code fontFamily="mono" fontWeight="semibold" overflowWrap="anywhere">
          {prefix}
        </chakra.code>
        <StatusBubble state="issues" word={reason} />
      </chakra.div>
      <chakra.p overflowWrap="anywhere">{explanation}</chakra.p>
      <KeyValueList
        items={[
          ...(fix === "" ? [] : [{ label: "How to fix it", value: fix }]),
          ...(object === "" ? [] : [{ label: "Object", value: <CopyText value={object} label="object" /> }]),
          {
            label: "AS path",
            value: (
              <chakra.span fontFamily="mono" fontSize="sm">
                {shortenAsPath(as_path)}
              </chakra.span>
            ),
          },
        ]}
      />
    </chakra.li>
  );
}
