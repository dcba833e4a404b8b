import { chakra } from "@chakra-ui/react/styled-system";
import { useNodeHost, useProvider } from "../../api/provider.ts";
import { SkeletonLines } from "../../ui/feedback/loading.tsx";
import { StatusBubble } from "../../ui/feedback/status-bubble.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import {
  allNodes,
  describeLinks,
  isPlaced,
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
      me: "-1px",
      mb: "-1px",
      borderEndWidth: "1px",
      borderBottomWidth: "1px",
    },
    "& > li > div": { px: "2", pt: "0.5", minHeight: "6", fontSize: "sm" },
    "& > li:has(> [aria-expanded=true])": { bg: "accent.subtle" },
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
    "& > :first-child": { fontFamily: "mono", overflowWrap: "anywhere" },
    "& > :first-child > span, & > :last-child": { color: "fg.muted" },
  },
});

const Links = chakra("ul", {
  base: {
    display: "flex",
    flexWrap: "wrap",
    columnGap: "4",
    rowGap: "1",
    "& > li": { display: "flex", alignItems: "center", gap: "1.5" },
    "& > li > :first-child": { color: "fg.muted" },
    "& > li > :first-child > span": { color: "fg" },
  },
});

/** The nodes and links of the map as a list, for screen readers and keyboards. */
export function NodeList({ links, isOutdated, selected, onToggle }: NodeListProps) {
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
              <span>
                {node.name}
                <span>{hostOf(node.name).slice(node.name.length)}</span>
              </span>{" "}
              <span>{node.place}</span>
            </NodeToggle>
            <div>
              {links && <NodeLinks node={node} links={links} isOutdated={isOutdated} />}
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

interface NodeLinksProps {
  readonly node: MapNode;
  readonly links: readonly Link[];
  readonly isOutdated: boolean;
}

function NodeLinks({ node, links, isOutdated }: NodeLinksProps) {
  const hostOf = useNodeHost();
  const neighbours = neighboursOf(node, links);
  if (neighbours.length === 0) return <chakra.p color="fg.muted">No links</chakra.p>;
  return (
    <Links>
      {neighbours.map(({ neighbour, link }) => (
        <li key={linkKey(link)}>
          <span>
            to <span>{hostOf(neighbour.name)}</span>
          </span>{" "}
          <StatusBubble
            state={isUp(link) ? "good" : "down"}
            word={isOutdated ? `${statusText(link)}, last known` : statusText(link)}
          />
        </li>
      ))}
    </Links>
  );
}
