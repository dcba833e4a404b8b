import { chakra, type SystemStyleObject } from "@chakra-ui/react/styled-system";
import { lazy, Suspense, useEffect, useState } from "react";
import { useProvider } from "../../api/provider.ts";
import { stackedRows } from "../../ui/plots/node-table.tsx";
import { ExternalLink } from "../../ui/text/link.tsx";
import type { MapCanvasProps } from "./map-canvas.tsx";
const MapCanvas = lazy(async () => {
  const { MapCanvas: component } = await import("./map-canvas.tsx");
  return { default: component };
});

export type WorldMapProps = Omit<MapCanvasProps, "isTouch">;

/** The frame around the map: attribution and legend. */
export function WorldMap(props: WorldMapProps) {
  const { map: service } = useProvider();
  // On touch screens one finger scrolls the page and two fingers move the map.
  const [isTouch] = useState(() => window.matchMedia("(pointer: coarse)").matches);
  const painted = usePainted();
  return (
    <chakra.section
      aria-label="World map"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
    >
      <chakra.div
        position="relative"
        height={{ base: "24rem", md: "28rem", lg: "32rem" }}
        css={mapStyles}
        data-outdated={props.isOutdated}
      >
        <Suspense>{painted && <MapCanvas {...props} isTouch={isTouch} />}</Suspense>
        {service.tiles !== "" && service.attribution !== "" && (
          <chakra.p
            position="absolute"
            insetEnd="0"
            bottom="0"
            px="1.5"
            bg="bg.panel"
            borderTopStartRadius="sm"
            fontSize="xs"
          >
            {service.attribution_url === "" ? (
              service.attribution
            ) : (
              <ExternalLink href={service.attribution_url}>{service.attribution}</ExternalLink>
            )}
          </chakra.p>
        )}
      </chakra.div>
      <MapLegend isTouch={isTouch} hasStates={props.states.summary !== null} />
    </chakra.section>
  );
}

/**
 * Returns true once the content around the map is painted. The map library is larger than the rest of the screen, and
 * slow phones need a while to run it.
 */
function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return painted;
}

const linkLegend = [
  { stroke: "plot.good", dashes: undefined, text: "Link up" },
  { stroke: "plot.down", dashes: "10,10", text: "Link down" },
] as const;

const nodeLegend = [
  { fill: "plot.good", sign: "", text: "Node OK" },
  { fill: "plot.issues", sign: "!", text: "Issues" },
  { fill: "plot.unknown", sign: "?", text: "Unknown" },
] as const;

export interface MapLegendProps {
  readonly isTouch: boolean;
  /** Whether the markers show the states of the nodes. */
  readonly hasStates: boolean;
}

export function MapLegend({ isTouch, hasStates }: MapLegendProps) {
  return (
    <Legend>
      {linkLegend.map(({ stroke, dashes, text }) => (
        <span key={text}>
          <svg width="36" height="4" aria-hidden>
            <chakra.path d="M0 2h36" stroke={stroke} strokeWidth="2" strokeDasharray={dashes} />
          </svg>
          {text}
        </span>
      ))}
      {hasStates &&
        nodeLegend.map(({ fill, sign, text }) => (
          <span key={text}>
            <chakra.svg boxSize="3.5" viewBox="0 0 14 14" fill={fill} aria-hidden>
              <circle cx="7" cy="7" r="7" />
              <chakra.text
                x="7"
                y="10.5"
                fill="bg.panel"
                fontSize="10px"
                fontWeight="bold"
                textAnchor="middle"
              >
                {sign}
              </chakra.text>
            </chakra.svg>
            {text}
          </span>
        ))}
      <chakra.span ms={{ lg: "auto" }}>
        {isTouch ? "Use two fingers to move and zoom." : "Click the map to zoom with the wheel."}
      </chakra.span>
    </Legend>
  );
}

const Legend = chakra("div", {
  base: {
    display: "flex",
    flexWrap: "wrap",
    columnGap: "5",
    rowGap: "1",
    px: { base: "4", md: "5" },
    py: "2.5",
    borderTopWidth: "1px",
    fontSize: "sm",
    color: "fg.muted",
    "& > span": { display: "inline-flex", alignItems: "center", gap: "2" },
  },
});

/** Styles for the elements that Leaflet creates; they can only be selected by class. */
export const mapStyles: SystemStyleObject = {
  "& .leaflet-container": {
    height: "full",
    // A stacking context of its own: Leaflet's layers use z-index values up to 1000.
    zIndex: 0,
    bg: "bg.subtle",
    font: "inherit",
    outlineOffset: "-3px",
    scrollMarginY: "4",
  },
  "& .land": { fill: "border", fillOpacity: 1, stroke: "border.emphasized" },
  // The tiles are light. Inverting them and rotating the hues back makes them dark.
  "& .leaflet-tile-pane": {
    _dark: { filter: "invert(1) hue-rotate(180deg) brightness(0.85) contrast(0.85)" },
  },
  "& .link-casing": { stroke: "bg.panel" },
  "& .link-up": { stroke: "plot.good" },
  "& .link-down": { stroke: "plot.down" },
  "& .link-flow": {
    stroke: "color-mix(in srgb, {colors.plot.good} 55%, white)",
    animation: "flow 1s steps(20) infinite",
    _motionReduce: { display: "none" },
  },
  "&[data-outdated=true]": {
    "& .link-up, & .link-down": { strokeOpacity: 0.5 },
    "& .link-flow": { display: "none" },
  },
  "& .node": {
    borderRadius: "full",
    "& svg": { display: "block", overflow: "visible" },
    "& .ground": { fill: "accent", stroke: "bg.panel", strokeWidth: 1.5 },
    "& path": { fill: "none", stroke: "accent.fg", strokeLinecap: "round", strokeLinejoin: "round" },
    "& .arrows": { strokeWidth: 1.6 },
    "& .badge": { display: "none" },
    "&:is([data-state=issues], [data-state=down], [data-state=unknown]) .badge": { display: "inline" },
    "& .badge circle": { fill: "bg.panel", stroke: "currentColor", strokeWidth: 1.5 },
    "& .badge path": { stroke: "fg", strokeWidth: 1.8 },
    "&:not([data-state=unknown]) .unknown, &[data-state=unknown] .issues": { display: "none" },
    "&[data-state=good]": { color: "plot.good" },
    "&[data-state=issues]": { color: "plot.issues" },
    "&[data-state=down]": { color: "plot.down" },
    "&[data-state=unknown]": { color: "plot.unknown" },
    "&:not([data-state='']) .ground": { fill: "currentColor" },
    "&:hover .arrows": { strokeWidth: 2.2 },
    // An outline and not a shadow, which forced colours remove.
    "&.chosen": { outline: "2px solid {colors.accent}", outlineOffset: "2px" },
  },
  "& .leaflet-popup-content-wrapper, & .leaflet-popup-tip": {
    bg: "bg.panel",
    color: "fg",
    borderWidth: "1px",
    borderRadius: "md",
    boxShadow: "raised",
  },
  "& .leaflet-popup-content": {
    m: "0",
    fontSize: "inherit",
    lineHeight: "inherit",
    ...stackedRows,
    "& tbody tr": { ...stackedRows["& tbody tr"], gridTemplateColumns: "minmax(0, 1fr) auto", px: "3" },
    "& tbody svg": { maxWidth: "full" },
    // The close button is beside the state, or beside the name without one.
    "& td:nth-of-type(2)": { me: "7" },
    "& td:only-of-type": { pe: "8" },
    "& td.number::after": { content: '" up"', color: "fg.muted" },
  },
};
