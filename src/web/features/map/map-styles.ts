import type { SystemStyleObject } from "@chakra-ui/react/styled-system";

/** For what Leaflet draws: it makes its elements itself, so they are reached by class from around it. */
export const mapStyles: SystemStyleObject = {
  "& .leaflet-container": {
    height: "full",
    // Keeps Leaflet's layers, numbered up to 1000, within the map.
    zIndex: 0,
    bg: "bg.subtle",
    font: "inherit",
    outlineOffset: "-3px",
    scrollMarginY: "4",
  },
  "& .land": { fill: "border", fillOpacity: 1, stroke: "border.emphasized" },
  // The tiles are light. Turned over and with their hues put back they are dark; nothing else is touched.
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
