import { chakra } from "@chakra-ui/react/styled-system";
import { memo, useId } from "react";
import { type PeeringHistory, shownHalfHours } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { pathOf } from "#domain/peering/peering-path.ts";
import { endsWithDuration } from "#domain/text/age.ts";
import { decodePlot, decodeShares } from "#domain/plot.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { bubbleState } from "#web/ui/feedback/status-bubble.tsx";
import { ButtonLink } from "#web/ui/forms/button.tsx";
import { PathStrip } from "#web/ui/plots/path-strip.tsx";
import { SmallPlot } from "#web/ui/plots/small-plot.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { routesText } from "../../describe-routes.ts";
import { DeploymentLink } from "../../deployment-link.tsx";
import { type Fix, FixToggle, hasFix } from "../../fix/fix-toggle.tsx";
import { formatRange } from "../../format-range.ts";
import { DownSince, HealthBubble, peeringStatusWord } from "../../health-bubble.tsx";
import { overviewLink } from "../../screen-links.ts";
import { RowFix } from "./row-fix.tsx";
import { NodeCell, RowFrame, StateCells } from "./row-frame.tsx";

const Figure = chakra("span", {
  base: { textAlign: "end", whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" },
});

export interface PeeringRowProps {
  readonly username: string;
  readonly status: PeerStatus;
  readonly history: PeeringHistory | null;
  /** Start of the history; null without one. */
  readonly from: number | null;
  /** Whether Tab leads to the plots of this row, as it does in one row of the list. */
  readonly isPlotStop: boolean;
  /** Whether what to do about the peering is shown below its row. */
  readonly isOpen: boolean;
  /** The same function in each rendering. */
  readonly onToggle: (node: string) => void;
}

/**
 * The View link covers the row, so that a click anywhere opens the peering. Memoized, because a list of sixty is rendered
 * again with each character of its filter.
 */
export const PeeringRow = memo(function PeeringRow({
  username,
  status,
  history,
  from,
  isPlotStop,
  isOpen,
  onToggle,
}: PeeringRowProps) {
  const { node, deployment, latency } = status;
  const host = useNodeHost()(node);
  const health = peeringStatusWord(status);
  const { segments, sentence, finding } = pathOf(status);
  const panelId = useId();
  const fix: Fix | null = hasFix(finding)
    ? { finding, isOpen, toggle: () => onToggle(node), panelId, isExplained: false }
    : null;
  // Nothing is said where all is well.
  const known = finding && (
    <>
      {sentence}
      {!endsWithDuration(sentence) && <DownSince status={status} isShort />}
      {fix && (
        <>
          {" "}
          <FixToggle fix={fix} about={host} />
        </>
      )}
    </>
  );
  const said = deployment === null ? known : <DeploymentLink node={node} deployment={deployment} />;
  const isDown = bubbleState(health) === "down" && health !== "Unknown";
  return (
    <RowFrame
      says={said !== null}
      bg={isDown ? "down.faint" : undefined}
      _hover={{ bg: isDown ? undefined : "bg.subtle" }}
    >
      <NodeCell node={node} />
      <StateCells bubble={<HealthBubble status={health} />} sentence={said} />
      <chakra.div gridArea="path">
        <PathStrip segments={segments} showNames="wide" />
      </chakra.div>
      <chakra.div gridArea="uptime" hideBelow="xl">
        {history && from !== null && (
          <SmallPlot values={decodeShares(history.up)} from={from} label={host} isTabStop={isPlotStop} />
        )}
      </chakra.div>
      <chakra.div gridArea="latency" display="flex" alignItems="center" justifyContent="end" columnGap="2">
        {history?.latency && from !== null && (
          <chakra.div hideBelow="xl" flex="1 1 0" maxWidth="11" minWidth="0">
            <SmallPlot
              values={decodePlot(history.latency, shownHalfHours)}
              from={from}
              unit=" ms"
              label={`Latency, last 24 hours: ${formatRange(history.latency, " ms")}`}
              height={20}
              isTabStop={false}
            />
          </chakra.div>
        )}
        <Figure minWidth={{ xl: "4.25rem" }}>
          <VisuallyHidden>Latency: </VisuallyHidden>
          <span>{latency || "–"}</span>
        </Figure>
      </chakra.div>
      <Figure gridArea="routes" hideBelow="xl" whiteSpace="normal" lineHeight="tight">
        <VisuallyHidden>Routes accepted: </VisuallyHidden>
        {routesText(status) ?? "–"}
      </Figure>
      <Figure gridArea="traffic" hideBelow="xl" lineHeight="tight">
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
      {fix?.isOpen === true && <RowFix fix={fix} username={username} node={node} />}
    </RowFrame>
  );
});

/** Nothing while the tunnel is not up, or if the server does not report the traffic. */
function Traffic({ status: { wg_status } }: Pick<PeeringRowProps, "status">) {
  const { state, rx, tx } = wg_status;
  if (state !== "Up" || rx === "" || tx === "") return <>–</>;
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
