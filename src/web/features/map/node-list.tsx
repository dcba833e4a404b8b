import { chakra } from "@chakra-ui/react/styled-system";
import { halfHourMs } from "#contract/history.ts";
import { formatShare } from "#domain/plot.ts";
import { isPlaced, useNodeHost, useProvider } from "../../api/provider.ts";
import { Skeleton, SkeletonLines } from "../../ui/feedback/loading.tsx";
import { bubbleState, StatusBubble, unknownWord } from "../../ui/feedback/status-bubble.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { UptimeStrip } from "../../ui/plots/uptime-strip.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import { latencyBetween } from "../../api/network/latency-between.ts";
import { type NodeStates, problemOf } from "./node-facts.ts";
import {
  allNodes,
  describeLinks,
  isUp,
  type Link,
  linkKey,
  type MapNode,
  neighboursOf,
  statusText,
} from "./node-links.ts";

export interface NodeListProps {
  /** Undefined until they are loaded. */
  readonly links: readonly Link[] | undefined;
  /** True when the last load failed: `links` are the last known ones, if any. */
  readonly isOutdated: boolean;
  readonly states: NodeStates;
  readonly selected: string | null;
  readonly onToggle: (node: string) => void;
}

const Nodes = chakra("ul", {
  base: {
    display: "grid",
    gridTemplateColumns: {
      base: "minmax(0, 1fr)",
      md: "repeat(2, minmax(0, 1fr))",
      lg: "repeat(3, minmax(0, 1fr))",
    },
    // Each cell draws its right and lower border; `overflow` cuts off those at the edge of the panel.
    overflow: "hidden",
    borderBottomRadius: "lg",
    "& > li": {
      px: { base: "2", md: "3" },
      py: "2",
      position: "relative",
      me: "-1px",
      mb: "-1px",
      borderEndWidth: "1px",
      borderBottomWidth: "1px",
    },
    "& > li > div": { px: "2", pt: "0.5", minHeight: "6", fontSize: "sm" },
    "& > li:has(> [aria-expanded=true])": {
      bg: "accent.subtle",
      // Visible with forced colours, which remove the background.
      outline: "2px solid transparent",
      outlineOffset: "-3px",
    },
  },
});

/** The name and location of a node. */
const NodeToggle = chakra("button", {
  base: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "baseline",
    justifyContent: "space-between",
    columnGap: "3",
    width: "full",
    px: "2",
    py: "1",
    borderRadius: "md",
    fontSize: "sm",
    textAlign: "start",
    cursor: "pointer",
    _hover: { bg: "bg.muted" },
    // On a phone the whole cell is the button.
    _after: { content: '""', position: "absolute", inset: "0", display: { md: "none" } },
    "& > :first-child": { fontFamily: "mono", overflowWrap: "anywhere" },
    "& > * > :last-child, & > :last-child": { color: "fg.muted" },
  },
});

const State = chakra("p", {
  base: {
    display: "grid",
    gridTemplateColumns: "5.25rem minmax(0, 9rem) 1fr",
    alignItems: "center",
    justifyItems: "start",
    columnGap: "3",
    minHeight: "6",
    px: "2",
    pb: "1",
    fontSize: "sm",
    fontVariantNumeric: "tabular-nums",
    "& > :last-child": { justifySelf: "end", whiteSpace: "nowrap" },
  },
});

/** The bubbles are in a column at the end, the round trips before it. */
const Links = chakra("ul", {
  base: {
    display: "grid",
    rowGap: "1",
    "& > li": { display: "flex", alignItems: "center", gap: "2" },
    "& > li > :first-child": { flex: "1", minWidth: "0", color: "fg.muted", overflowWrap: "anywhere" },
    "& > li > :first-child > :last-child": { color: "fg" },
    "& .latency": { whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums", color: "fg.muted" },
  },
});

/** The nodes and links of the map as a list, for screen readers and keyboards. */
export function NodeList({ links, isOutdated, states, selected, onToggle }: NodeListProps) {
  const { nodes } = useProvider();
  const hostOf = useNodeHost();
  return (
    <Panel
      title="Nodes and links"
      actions={
        links !== undefined &&
        links.length > 0 && (
          <chakra.span color="fg.muted" fontSize="sm">
            {isOutdated ? `${describeLinks(links)}, last known` : describeLinks(links)}
          </chakra.span>
        )
      }
      flush
    >
      <Nodes>
        {allNodes(nodes, links ?? []).map((node) => (
          <li key={node.name}>
            <NodeToggle
              type="button"
              disabled={!isPlaced(node)}
              aria-expanded={node.name === selected}
              onClick={() => onToggle(node.name)}
            >
              <span translate="no">
                {node.name}
                <span>{hostOf(node.name).slice(node.name.length)}</span>
              </span>{" "}
              <span dir="auto">{node.place}</span>
            </NodeToggle>
            {states.summary !== null && "lat" in node && <NodeState name={node.name} states={states} />}
            <div>
              {links && <NodeLinks node={node} links={links} isOutdated={isOutdated} states={states} />}
              {!links && isOutdated && <chakra.p color="fg.muted">Links unknown</chakra.p>}
              {!links && !isOutdated && (
                <>
                  <VisuallyHidden>Loading links…</VisuallyHidden>
                  <SkeletonLines lines={1} />
                </>
              )}
            </div>
          </li>
        ))}
      </Nodes>
    </Panel>
  );
}

/** The state now, the last 24 hours, and the uptime. Their line has its place before they are loaded. */
function NodeState({ name, states }: { readonly name: string; readonly states: NodeStates }) {
  const { rows, isLoading } = states;
  const problem = problemOf(name, states);
  const row = rows.find((each) => each.name === name);
  const { shares = null, uptime = null, from = 0 } = row ?? {};
  const state = row?.state ?? unknownWord;
  return (
    <>
      <State>
        {isLoading ? (
          <chakra.span gridColumn="1 / -1" width="full">
            <Skeleton height="0.9em" />
          </chakra.span>
        ) : (
          <StatusBubble state={bubbleState(state)} word={state} />
        )}
        {shares && <UptimeStrip shares={shares} from={from} stepMs={halfHourMs} label={name} full />}
        <span>
          {uptime !== null && (
            <>
              {formatShare(uptime)} responding<VisuallyHidden> in 90 days</VisuallyHidden>
            </>
          )}
        </span>
      </State>
      {problem !== "" && (
        <chakra.p px="2" pb="1" fontSize="sm">
          {problem}
        </chakra.p>
      )}
    </>
  );
}

interface NodeLinksProps {
  readonly node: MapNode;
  readonly links: readonly Link[];
  readonly isOutdated: boolean;
  readonly states: NodeStates;
}

function NodeLinks({ node, links, isOutdated, states: { summary } }: NodeLinksProps) {
  const hostOf = useNodeHost();
  const neighbours = neighboursOf(node, links);
  if (neighbours.length === 0) return <chakra.p color="fg.muted">No links</chakra.p>;
  return (
    <Links>
      {neighbours.map(({ neighbour, link }) => {
        const latency = latencyBetween(node.name, neighbour.name, summary);
        return (
          <li key={linkKey(link)}>
            <span>
              to <span translate="no">{hostOf(neighbour.name)}</span>
            </span>{" "}
            {latency !== undefined && <span className="latency">{Math.round(latency)} ms </span>}
            <StatusBubble
              state={isUp(link) ? "good" : "down"}
              word={isOutdated ? `${statusText(link)}, last known` : statusText(link)}
            />
          </li>
        );
      })}
    </Links>
  );
}
