import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { landRows } from "virtual:dotted-land";
import type { Provider } from "#contract/entities.ts";
import type { NetworkSummary } from "#contract/history.ts";
import { useNetworkSummary } from "../../api/network/history-queries.ts";
import { latencyBetween } from "../../api/network/latency-between.ts";
import { linksQuery } from "../../api/network/links-query.ts";
import { useProvider } from "../../api/provider.ts";
import { countUp } from "./network-figures.tsx";

type PlacedNode = Provider["nodes"][number];

/** In degrees: the land without Antarctica, as wide as it is drawn. */
const frame = { west: -170, north: 78, width: 352, height: 136 };

/** Around the drawing, so that its styles are not computed again with each response. */
const Frame = chakra("div", {
  base: {
    "& svg": {
      display: "block",
      width: "full",
      // A name at the edge of the frame reaches into the margin of a phone.
      overflow: "visible",
      aspectRatio: `${frame.width} / ${frame.height}`,
    },
    fontFamily: "mono",
    // In degrees, so that the names can be read at the width of a phone and of a desktop.
    fontSize: { base: "10px", sm: "8px", lg: "5.4px" },
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
    "& .latency": {
      fill: "fg.muted",
      fontSize: "0.85em",
      textAnchor: "middle",
      display: { base: "none", lg: "inline" },
    },
  },
});

/** The nodes on dotted land, with their states, and the links between them. The table of nodes says the same in words. */
export function NetworkPicture() {
  return (
    <Frame htmlTranslate="no">
      <Drawing />
    </Frame>
  );
}

function Drawing() {
  const { nodes } = useProvider();
  // Without a history nodes have no state, and links no round trip.
  const summary = useNetworkSummary();
  const links = useDeferredValue(useQuery(linksQuery()).data);
  const placed = new Map(nodes.map((node) => [node.name, node]));
  // A node that does not reply is down in the summary. Its state is unknown, as in the table.
  const stateOf = new Map(summary?.nodes.map(({ node, now }) => [node, now]));
  const lines = (links ?? []).flatMap(({ from, to, status }) => {
    const [start, end] = [placed.get(from), placed.get(to)];
    if (!start || !end) return [];
    const latency = latencyBetween(from, to, summary);
    const { path, middle } = curveBetween(start, end);
    const look = status === "up" ? "up" : status === "unknown" ? "not-up unknown" : "not-up";
    return { key: `${from} ${to}`, isUp: status === "up", look, latency, path, middle };
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
      {placeLabels(nodes, lines).map(({ key, ...label }) => (
        <text key={key} {...label} />
      ))}
    </svg>
  );
}

/** A curve that bends towards the nearer pole, like the shortest path on the globe. */
function curveBetween(start: PlacedNode, end: PlacedNode) {
  const bend = (start.lat + end.lat >= 0 ? 0.12 : -0.12) * Math.abs(end.lon - start.lon);
  const [middleX, middleY] = [(start.lon + end.lon) / 2, -(start.lat + end.lat) / 2];
  const path = `M${start.lon} ${-start.lat}Q${middleX} ${middleY - 2 * bend} ${end.lon} ${-end.lat}`;
  return { path, middle: [middleX, middleY - bend] as const };
}

interface MeasuredLine {
  readonly key: string;
  readonly latency: number | undefined;
  readonly middle: readonly [x: number, y: number];
}

/**
 * Names at the right or the left of their dots, and round trips on the middle of their lines. Where there is no room, a label is
 * left out: the table and the map have it.
 */
function placeLabels(nodes: readonly PlacedNode[], lines: readonly MeasuredLine[]) {
  // In degrees, as centre and half the size.
  const taken: [x: number, y: number, width: number][] = nodes.map(({ lon, lat }) => [lon, -lat, 3]);
  const claim = (center: number, middle: number, width: number) => {
    const isFree = taken.every(
      ([x, y, other]) => Math.abs(x - center) > other + width || Math.abs(y - middle) > 7,
    );
    if (isFree) taken.push([center, middle, width]);
    return isFree;
  };
  const names = nodes.flatMap(({ name, lon, lat }) => {
    const width = name.length * 2.4;
    const side = [1, -1].find((each) => {
      const center = lon + each * (width + 4);
      return Math.abs(center - 6) + width < 176 && claim(center, -lat, width);
    });
    if (side === undefined) return [];
    return {
      key: name,
      children: name,
      x: lon + side * 4.5,
      y: -lat,
      textAnchor: side > 0 ? ("start" as const) : ("end" as const),
    };
  });
  const latencies = lines.flatMap(({ key, latency, middle: [x, y] }) => {
    const children = latency === undefined ? "" : `${Math.round(latency)} ms`;
    return children !== "" && claim(x, y, children.length * 1.4)
      ? { key, children, x, y: y - 2.5, className: "latency" }
      : [];
  });
  return [...names, ...latencies];
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
