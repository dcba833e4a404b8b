import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import type { RefusedRoute, RefusedRoutes } from "../../../contract/entities.ts";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { StatusBubble } from "../../ui/status-bubble.tsx";

/** How many more are shown at once: each has sentences to read. */
const step = 100;

/** What the node refuses of the participant's routes, and what mends each. Limits first: they stop everything. */
export function RefusedRouteList({ refused }: { readonly refused: RefusedRoutes }) {
  const { routes, totals, cut, limits } = refused;
  const [shown, setShown] = useState(step);
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
          : `The node refuses ${counted(totals.ipv4, "IPv4")} and ${counted(totals.ipv6, "IPv6")}.`}
        {cut && ` The first ${routes.length} are listed here.`}
      </p>
      <chakra.ul borderWidth={routes.length > 0 ? "1px" : undefined} borderRadius="md">
        {routes.slice(0, shown).map((route, index) => (
          // A prefix may be refused twice, over two sessions; the list itself never changes.
          // eslint-disable-next-line react/no-array-index-key
          <Refused key={index} route={route} />
        ))}
      </chakra.ul>
      {shown < routes.length && (
        <Button onClick={() => setShown(shown + step)} justifySelf="start">
          Show {Math.min(step, routes.length - shown)} more
        </Button>
      )}
    </chakra.div>
  );
}

function Refused({ route }: { readonly route: RefusedRoute }) {
  const { prefix, reason, explanation, object, cure, as_path } = route;
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
          { label: "What mends it", value: cure },
          ...(object === "" ? [] : [{ label: "Object", value: <CopyText value={object} label="object" /> }]),
          {
            label: "AS path",
            value: (
              <chakra.span fontFamily="mono" fontSize="sm">
                {as_path}
              </chakra.span>
            ),
          },
        ]}
      />
    </chakra.li>
  );
}

function counted(count: number, family: string): string {
  return `${count} ${family} ${count === 1 ? "route" : "routes"}`;
}
