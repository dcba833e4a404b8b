import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { memo, useDeferredValue } from "react";
import { landRows } from "virtual:dotted-land";
import type { NetworkSummary } from "#contract/history.ts";
import type { Connection } from "#contract/lenient.ts";
import { useNetworkSummary } from "../../api/network/history-queries.ts";
import { latencyBetween } from "../../api/network/latency-between.ts";
import { linksQuery } from "../../api/network/links-query.ts";
import { isPlaced, type PlacedNode, useNodeHost, useProvider } from "../../api/provider.ts";
import { DeferredRender } from "../../ui/layout/first-paint.tsx";
import { countUp } from "./network-figures.tsx";

/** In degrees: the land without Antarctica, as wide as it is drawn. */
const frame = { west: -170, north: 78, width: 352, height: 136 };

/** Around the drawing, so that its styles are not computed again with each response. */
const Frame = chakra("div", {
  base: {
    // Also before the drawing is rendered.
    aspectRatio: `${frame.width} / ${frame.height}`,
    // A name at the edge of the frame reaches into the margin of a phone.
    "& svg": { display: "block", width: "full", height: "full", overflow: "visible" },
    fontFamily: "mono",
    // In degrees, so that the names can be read at the width of a phone and of a desktop.
    fontSize: { base: "10px", sm: "8px", lg: "6.4px" },
    "& .land": {
      stroke: "border.emphasized",
      strokeWidth: "1",
      strokeLinecap: "round",
      strokeDasharray: "0 3",
    },
    "& .link": { fill: "none", strokeWidth: "0.9" },
    "& .up": { stroke: "good" },
    "& .not-up": { stroke: "down", strokeDasharray: "3 2" },
    // A look of the class not-up: nothing says that it is down.
    "& .unknown": { stroke: "fg.subtle" },
    "& circle": { stroke: "bg", strokeWidth: "1", fill: "fg.subtle" },
    "& .OK": { fill: "good" },
    "& .Issues": { fill: "issues" },
    "& text": {
      fill: "fg",
      paintOrder: "stroke",
      stroke: "bg",
      strokeWidth: "2",
      dominantBaseline: "central",
    },
    "& tspan + tspan": { fill: "fg.muted", display: { base: "none", lg: "inline" } },
    "& .label": { fill: "fg.muted", fontSize: "0.85em", textAnchor: "middle", strokeWidth: "4" },
    "& .latency": { display: { base: "none", lg: "inline" } },
  },
});

/** The nodes on dotted land, with their states, and the links between them. The table of nodes says the same in words. */
export function NetworkPicture() {
  return (
    <Frame htmlTranslate="no">
      <DeferredRender>
        <LoadedDrawing />
      </DeferredRender>
    </Frame>
  );
}

/** A response renders this component at once, and the drawing later, in slices: see `useNetworkSummary`. */
function LoadedDrawing() {
  // Without a history nodes have no state, and links no round trip.
  const summary = useNetworkSummary();
  const links = useDeferredValue(useQuery(linksQuery()).data);
  return <Drawing summary={summary} links={links} />;
}

interface DrawingProps {
  readonly summary: NetworkSummary | null;
  readonly links: readonly Connection[] | undefined;
}

const Drawing = memo(({ summary, links }: DrawingProps) => {
  const nodes = useProvider().nodes.filter(isPlaced);
  const hostOf = useNodeHost();
  const placed = new Map(nodes.map((node) => [node.name, node]));
  // A node that does not reply is down in the summary. Its state is unknown, as in the table.
  const stateOf = new Map(summary?.nodes.map(({ node, now }) => [node, now]));
  const lines = (links ?? []).flatMap(({ from, to, status }) => {
    const [start, end] = [placed.get(from), placed.get(to)];
    if (!start || !end) return [];
    const isUp = status === "up";
    const latency = isUp ? latencyBetween(from, to, summary) : undefined;
    const label = latency === undefined ? (isUp ? "" : status) : `${Math.round(latency)} ms`;
    const { path, points } = curveBetween(start, end);
    const look = isUp ? "up" : status === "unknown" ? "not-up unknown" : "not-up";
    return { key: `${from} ${to}`, isUp, look, label, path, points };
  });
  return (
    <svg
      role="img"
      aria-label={describe(nodes.length, summary, lines)}
      viewBox={`${frame.west} ${-frame.north} ${frame.width} ${frame.height}`}
    >
      <path className="land" d={landRows} />
      {lines.map(({ key, look, path }) => (
        <path key={key} className={`link ${look}`} d={path} />
      ))}
      {nodes.map(({ name, lon, lat }) => (
        <circle key={name} className={stateOf.get(name) ?? ""} cx={lon} cy={-lat} r={2.6} />
      ))}
      {placeLabels(nodes, lines, hostOf("")).map(({ key, ...label }) => (
        <text key={key} {...label} />
      ))}
    </svg>
  );
});

/** A curve that bends towards the nearer pole, like the shortest path on the globe. */
function curveBetween(start: PlacedNode, end: PlacedNode) {
  const bend = (start.lat + end.lat >= 0 ? 0.24 : -0.24) * Math.abs(end.lon - start.lon);
  const [x, y] = [(start.lon + end.lon) / 2, -(start.lat + end.lat) / 2 - bend];
  const path = `M${start.lon} ${-start.lat}Q${x} ${y} ${end.lon} ${-end.lat}`;
  const points = shares.map(
    (t) => [pointAt(t, start.lon, x, end.lon), pointAt(t, -start.lat, y, -end.lat)] as const,
  );
  return { path, points };
}

/** A coordinate of a quadratic curve. */
function pointAt(t: number, from: number, control: number, to: number): number {
  return from * (1 - t) ** 2 + control * 2 * t * (1 - t) + to * t * t;
}

/** Shares of a line: its label is at one of the first five, and the others keep names off the line. */
const shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];

interface MeasuredLine {
  readonly key: string;
  readonly isUp: boolean;
  /** The round trip of a link that is up, or the state of another. */
  readonly label: string;
  readonly points: ReadonlyArray<readonly [x: number, y: number]>;
}

/** In degrees, as centre and half the size. */
type Box = readonly [x: number, y: number, width: number, height: number];

/**
 * Names beside, above or below their dots, and round trips or states on their lines, where they cross the fewest lines. Where there is
 * no room, a label is left out: the table and the map have it.
 */
function placeLabels(nodes: readonly PlacedNode[], lines: readonly MeasuredLine[], suffix: string) {
  const taken: Box[] = nodes.map(({ lon, lat }) => [lon, -lat, 3, 3]);
  const isIn = ([x, y, width, height]: Box, [centerX, centerY, halfWidth, halfHeight]: Box) =>
    Math.abs(x - centerX) < width + halfWidth && Math.abs(y - centerY) < height + halfHeight;
  const onLines = lines.flatMap(({ points }) => points.map(([x, y]): Box => [x, y, 0, 0]));
  const claim = (boxes: readonly Box[]): Box | undefined => {
    const [best] = boxes
      .filter((box) => Math.abs(box[0] - 6) + box[2] < 178 && !taken.some((other) => isIn(other, box)))
      .map((box) => [onLines.filter((point) => isIn(point, box)).length, box] as const)
      .toSorted(([a], [b]) => a - b);
    if (best) taken.push(best[1]);
    return best?.[1];
  };
  const names = nodes.flatMap(({ name, lon, lat }) => {
    // As wide as the name on a phone, or as the whole host on a desktop.
    const width = Math.max(name.length * 3, (name.length + suffix.length) * 1.95);
    const away = width + 4;
    const box = claim(
      [
        [away, 0],
        [-away, 0],
        [0, -9],
        [0, 9],
      ].map(([dx = 0, dy = 0]) => [lon + dx, dy - lat, width, 5.9]),
    );
    if (!box) return [];
    const side = Math.sign(box[0] - lon);
    const textAnchor = (["end", "middle", "start"] as const)[side + 1];
    const children = [<tspan key={name}>{name}</tspan>, <tspan key="">{suffix}</tspan>];
    return { key: name, children, x: lon + side * 4.5, y: box[1], textAnchor };
  });
  const labels = lines.flatMap(({ key, isUp, label: children, points }) => {
    if (children === "") return [];
    // A phone, whose letters are the largest, shows no round trips.
    const size = isUp ? 1.8 : 2.6;
    const box = claim(points.slice(0, 5).map(([x, y]) => [x, y, children.length * size, size * 2]));
    return box ? { key, children, x: box[0], y: box[1], className: isUp ? "label latency" : "label" } : [];
  });
  return [...names, ...labels];
}

function describe(
  nodeCount: number,
  summary: NetworkSummary | null,
  links: ReadonlyArray<{ readonly isUp: boolean }>,
): string {
  const upNodes = summary ? `, ${countUp(summary)} of them up` : "";
  const upLinks =
    links.length === 0 ? "" : `; ${links.filter(({ isUp }) => isUp).length} of ${links.length} links up`;
  return `World map with ${nodeCount} nodes${upNodes}${upLinks}.`;
}
