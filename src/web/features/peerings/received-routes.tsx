import type { RefusedRoutes } from "../../../contract/entities.ts";
import { toldBy } from "../../api/client.ts";
import { Notice } from "../../ui/notice.tsx";
import { TabSet } from "../../ui/tab-set.tsx";
import { RefusedRouteList } from "./refused-routes.tsx";
import { RoutesView } from "./routes-view.tsx";

export type ReceivedPart = "all" | "refused";

export interface ReceivedRoutesProps {
  readonly output: string;
  readonly refused: PromiseSettledResult<RefusedRoutes>;
  readonly part: ReceivedPart;
  readonly onPart: (part: ReceivedPart) => void;
}

/** All that the participant announces as BIRD lists it, and beside it what is refused with the reasons. */
export function ReceivedRoutes({ output, refused, part, onPart }: ReceivedRoutesProps) {
  return (
    <TabSet<ReceivedPart>
      label="Received routes"
      value={part}
      onChange={onPart}
      tabs={[
        {
          value: "all",
          label: "All",
          content: (
            <RoutesView
              output={output}
              label="Routes received from you"
              none="The node receives no routes from you."
            />
          ),
        },
        { value: "refused", label: refusedLabel(refused), content: <Refused refused={refused} /> },
      ]}
    />
  );
}

function Refused({ refused }: Pick<ReceivedRoutesProps, "refused">) {
  return refused.status === "fulfilled" ? (
    <RefusedRouteList refused={refused.value} />
  ) : (
    <Notice tone="error">
      The refused routes could not be loaded. Close this and try again. {toldBy(refused.reason)}
    </Notice>
  );
}

function refusedLabel(refused: PromiseSettledResult<RefusedRoutes>): string {
  if (refused.status === "rejected") return "Refused";
  const { ipv4, ipv6 } = refused.value.totals;
  return `Refused (${ipv4 + ipv6})`;
}
