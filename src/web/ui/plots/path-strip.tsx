import { chakra } from "@chakra-ui/react/styled-system";
import type { PeeringPath } from "#domain/peering/peering-path.ts";
import { segmentLook } from "./segment-look.ts";

export interface PathStripProps {
  readonly segments: PeeringPath["segments"];
  /** Where the names of the segments are shown below their bars. */
  readonly showNames?: "always" | "wide" | "never";
}

/** States differ in shape too: degraded has a gap, broken is split, and what is not known or not reached is hollow. */
const Strip = chakra("span", {
  base: {
    display: "grid",
    gridTemplateColumns: "1.3fr 1fr 1.15fr 1fr",
    columnGap: "1",
    width: "10.5rem",
    maxWidth: "full",
    "& .bar": { display: "block", height: "5px", borderRadius: "sm", forcedColorAdjust: "none" },
    "& [data-state=good]": { bg: "plot.good" },
    "& [data-state=degraded]": {
      bgImage:
        "linear-gradient(90deg, {colors.plot.issues} 72%, transparent 72% 82%, {colors.plot.issues} 82%)",
    },
    "& [data-state=broken]": {
      bgImage: "linear-gradient(90deg, {colors.plot.down} 42%, transparent 42% 58%, {colors.plot.down} 58%)",
    },
    "& [data-state=unknown]": { borderWidth: "1px", borderColor: "plot.unknown" },
    "& .name": {
      display: "block",
      mt: "1",
      fontSize: "0.65625rem",
      lineHeight: "tight",
      color: "fg.muted",
      whiteSpace: "nowrap",
    },
  },
});

/** How far a peering gets, in four bars. */
export function PathStrip({ segments, showNames = "never" }: PathStripProps) {
  const label = segments.map(({ name, state }) => `${name} ${state}`).join(", ");
  return (
    <Strip role="img" aria-label={`Path: ${label}`}>
      {segments.map(({ name, state }) => (
        <span key={name}>
          <span className="bar" data-state={segmentLook(state)} />
          {showNames !== "never" && (
            <chakra.span className="name" hideBelow={showNames === "wide" ? "xl" : undefined}>
              {name}
            </chakra.span>
          )}
        </span>
      ))}
    </Strip>
  );
}
