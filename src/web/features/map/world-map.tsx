import { chakra, type SystemStyleObject } from "@chakra-ui/react/styled-system";
import { lazy, Suspense, useEffect, useState } from "react";
import { useProvider } from "../../api/provider.ts";
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
        height={{ base: "22rem", md: "27rem", lg: "30rem" }}
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
      <MapLegend isTouch={isTouch} />
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

const legendItems = [
  { stroke: "good", dashes: undefined, text: "Link up" },
  { stroke: "down", dashes: "10,10", text: "Link down" },
] as const;

export function MapLegend({ isTouch }: { readonly isTouch: boolean }) {
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      columnGap="6"
      rowGap="1"
      px={{ base: "4", md: "5" }}
      py="2.5"
      borderTopWidth="1px"
      fontSize="sm"
      color="fg.muted"
    >
      {legendItems.map(({ stroke, dashes, text }) => (
        <chakra.span key={text} display="inline-flex" alignItems="center" gap="2">
          <svg width="50" height="4" aria-hidden>
            <chakra.path d="M0 2h50" stroke={stroke} strokeWidth="2" strokeDasharray={dashes} />
          </svg>
          {text}
        </chakra.span>
      ))}
      <chakra.span ms={{ md: "auto" }}>
        {isTouch ? "Use two fingers to move and zoom." : "Click the map to zoom with the wheel."}
      </chakra.span>
    </chakra.div>
  );
}

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
  "& .link-up": { stroke: "good" },
  "& .link-down": { stroke: "down" },
  "& .link-flow": {
    stroke: "color-mix(in srgb, {colors.good} 55%, white)",
    animation: "flow 1s steps(20) infinite",
    _motionReduce: { display: "none" },
  },
  "&[data-outdated=true]": {
    "& .link-up, & .link-down": { strokeOpacity: 0.5 },
    "& .link-flow": { display: "none" },
  },
  "& .node": {
    borderRadius: "full",
    "& circle": { fill: "accent", stroke: "bg.panel", strokeWidth: 1.5 },
    "& path": {
      fill: "none",
      stroke: "accent.fg",
      strokeWidth: 1.6,
      strokeLinecap: "round",
      strokeLinejoin: "round",
    },
    "&:hover circle, &.chosen circle": { fill: "accent.hover" },
    "&.chosen": { boxShadow: "0 0 0 3px {colors.bg.panel}, 0 0 0 5px {colors.accent}" },
  },
  "& .leaflet-popup-content-wrapper, & .leaflet-popup-tip": {
    bg: "bg.panel",
    color: "fg",
    borderRadius: "md",
    boxShadow: "raised",
  },
  "& .leaflet-popup-content": { m: "0", fontSize: "inherit", lineHeight: "inherit" },
};
