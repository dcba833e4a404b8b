import { chakra } from "@chakra-ui/react/styled-system";
import { halfHourMs, type PeeringHistory, shownHalfHours } from "../../../../contract/history.ts";
import type { PeerStatus } from "../../../../contract/lenient.ts";
import { pathOf } from "../../../../domain/peering/peering-path.ts";
import { decodePlot, decodeShares } from "../../../../domain/plot.ts";
import { useNodeHost, useNodePlace } from "../../../api/provider.ts";
import { bubbleState } from "../../../ui/feedback/status-bubble.tsx";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { PathStrip } from "../../../ui/plots/path-strip.tsx";
import { Spark } from "../../../ui/plots/spark.tsx";
import { UptimeStrip } from "../../../ui/plots/uptime-strip.tsx";
import { VisuallyHidden } from "../../../ui/text/visually-hidden.tsx";
import { routesText } from "../describe-routes.ts";
import { DeploymentLink } from "../deployment-link.tsx";
import { formatRange } from "../format-range.ts";
import { HealthBubble, peeringStatusWord } from "../health-bubble.tsx";
import { overviewLink } from "../screen-links.ts";

/** The columns of a wide screen, the same for the heads and every row. Routes have room for twelve digits. */
export const columns = {
  gridTemplateColumns: "minmax(0, 1.2fr) minmax(0, 1fr) 10.5rem 9rem 7.5rem 6.75rem 5.5rem 4rem",
  columnGap: "3",
};
const narrowColumns = {
  base: "minmax(0, 1fr) auto auto",
  md: "minmax(0, 1fr) 10.5rem 6rem 4rem",
  xl: columns.gridTemplateColumns,
};
const areas = {
  base: `"node node bubble" "sentence sentence sentence" "path latency view"`,
  md: `"node path latency view" "state path latency view"`,
  xl: `"node state path uptime latency routes traffic view"`,
};

const Small = chakra("span", { base: { display: "block", fontSize: "xs", color: "fg.muted" } });
const Figure = chakra("span", {
  base: { textAlign: "end", whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" },
});

export interface PeeringRowProps {
  readonly status: PeerStatus;
  readonly history: PeeringHistory | null;
  /** Start of the history; null without one. */
  readonly from: number | null;
}

/** The View link covers the row, so that a click anywhere opens the peering. */
export function PeeringRow({ status, history, from }: PeeringRowProps) {
  const { node, deployment, latency } = status;
  const host = useNodeHost()(node);
  const place = useNodePlace(node);
  const health = peeringStatusWord(status);
  const { segments, sentence } = pathOf(status);
  const isDown = bubbleState(health) === "down" && health !== "Unknown";
  return (
    <chakra.li
      position="relative"
      display="grid"
      gridTemplateColumns={narrowColumns}
      gridTemplateAreas={areas}
      alignItems="center"
      columnGap={{ base: "4", xl: columns.columnGap }}
      rowGap={{ base: "1.5", md: "1", xl: "0" }}
      minHeight="3.75rem"
      px={{ base: "4", md: "5" }}
      py="2"
      bg={isDown ? "down.faint" : undefined}
      _notFirst={{ borderTopWidth: "1px" }}
      css={{ "& a": { position: "relative", zIndex: 1 }, "& a.view": { position: "static", zIndex: "auto" } }}
      _hover={{ bg: isDown ? undefined : "bg.subtle" }}
    >
      <chakra.div gridArea="node" minWidth="0" overflowWrap="anywhere">
        <chakra.span color="fg.muted">node: </chakra.span>
        <chakra.span fontFamily="mono" fontSize="sm">
          {host}
        </chakra.span>
        {place !== "" && (
          <Small>
            <bdi>{place}</bdi>
          </Small>
        )}
      </chakra.div>
      <chakra.div
        gridArea={{ md: "state" }}
        display={{ base: "contents", md: "flex" }}
        flexDirection={{ md: "row", xl: "column" }}
        alignItems={{ md: "center", xl: "start" }}
        columnGap="3"
        rowGap="1"
        minWidth="0"
      >
        <chakra.span gridArea={{ base: "bubble", md: "auto" }}>
          <HealthBubble status={health} />
        </chakra.span>
        <Small gridArea={{ base: "sentence", md: "auto" }}>
          {deployment === null ? sentence : <DeploymentLink node={node} deployment={deployment} />}
        </Small>
      </chakra.div>
      <chakra.div gridArea="path">
        <PathStrip segments={segments} showNames="wide" />
      </chakra.div>
      <chakra.div gridArea="uptime" hideBelow="xl">
        {history && from !== null && (
          <UptimeStrip shares={decodeShares(history.up)} from={from} stepMs={halfHourMs} label={host} />
        )}
      </chakra.div>
      <chakra.span gridArea="latency" display="flex" alignItems="center" justifyContent="end" columnGap="2">
        {history?.latency && (
          <chakra.span hideBelow="xl" minWidth="0" overflow="hidden">
            <Spark
              values={decodePlot(history.latency, shownHalfHours)}
              label={`Latency, last 24 hours: ${formatRange(history.latency, " ms")}`}
              width={48}
              height={20}
            />
          </chakra.span>
        )}
        <Figure>
          <VisuallyHidden>Latency: </VisuallyHidden>
          <span>{latency || "–"}</span>
        </Figure>
      </chakra.span>
      <Figure gridArea="routes" hideBelow="xl" whiteSpace="normal">
        <VisuallyHidden>Routes accepted: </VisuallyHidden>
        {routesText(status) ?? "–"}
      </Figure>
      <Figure gridArea="traffic" hideBelow="xl">
        <Traffic status={status} />
      </Figure>
      <ButtonLink
        {...overviewLink(node)}
        size="sm"
        className="view"
        gridArea="view"
        justifySelf="end"
        _after={{ content: '""', position: "absolute", inset: "0" }}
      >
        <span>
          View<VisuallyHidden>{` ${host}`}</VisuallyHidden>
        </span>
      </ButtonLink>
    </chakra.li>
  );
}

/** Nothing while the tunnel is not up, or if the server does not report the traffic. */
function Traffic({ status: { wg_status } }: Pick<PeeringRowProps, "status">) {
  const { state, rx, tx } = wg_status;
  if (state !== "Up" || rx === "" || tx === "") return "–";
  return (
    <>
      <chakra.span display="block">
        {rx}
        <VisuallyHidden> received, </VisuallyHidden>
      </chakra.span>
      <chakra.span display="block">
        {tx}
        <VisuallyHidden> transmitted</VisuallyHidden>
      </chakra.span>
    </>
  );
}
