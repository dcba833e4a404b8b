import { chakra } from "@chakra-ui/react/styled-system";
import { useProvider } from "../../api/provider.ts";
import { Panel } from "../../ui/panel.tsx";
import { SkeletonLines } from "../../ui/skeleton.tsx";
import { StatusBubble } from "../../ui/status-bubble.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { describeLinks, isUp, type Link, linkKey, type MapNode, neighboursOf, statusWord } from "./links.ts";

export interface NodeListProps {
  /** Undefined while nothing is known of them. */
  readonly links: readonly Link[] | undefined;
  /** Whether the links are only the last known, or failed to load at all. */
  readonly outdated: boolean;
  readonly chosen: string | null;
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
    // Each cell draws the line to its right and below; the frame hides those at the rim.
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

/** A node's name and place. */
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

/** What the map shows, in words, for those who cannot see or point at it. */
export function NodeList({ links, outdated, chosen, onToggle }: NodeListProps) {
  const { nodes, domain } = useProvider();
  return (
    <Panel
      title="Nodes and links"
      actions={
        links !== undefined &&
        links.length > 0 && (
          <chakra.span color="fg.muted" fontSize="sm">
            {outdated ? `${describeLinks(links)}, last known` : describeLinks(links)}
          </chakra.span>
        )
      }
      flush
    >
      <Nodes>
        {nodes.map((node) => (
          <li key={node.name}>
            <NodeToggle
              type="button"
              aria-expanded={node.name === chosen}
              onClick={() => onToggle(node.name)}
            >
              <span>
                {node.name}
                <span>.{domain}</span>
              </span>{" "}
              <span>{node.place}</span>
            </NodeToggle>
            <div>
              {links && <NodeLinks node={node} links={links} outdated={outdated} />}
              {!links && outdated && <chakra.p color="fg.muted">Links not known</chakra.p>}
              {!links && !outdated && (
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
  readonly outdated: boolean;
}

function NodeLinks({ node, links, outdated }: NodeLinksProps) {
  const neighbours = neighboursOf(node, links);
  if (neighbours.length === 0) return <chakra.p color="fg.muted">No links</chakra.p>;
  return (
    <Links>
      {neighbours.map(({ neighbour, link }) => (
        <li key={linkKey(link)}>
          <span>
            to <span>{neighbour.name}</span>
          </span>{" "}
          <StatusBubble
            state={isUp(link) ? "good" : "down"}
            word={outdated ? `${statusWord(link)}, last known` : statusWord(link)}
          />
        </li>
      ))}
    </Links>
  );
}
