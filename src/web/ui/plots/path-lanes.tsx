import { chakra } from "@chakra-ui/react/styled-system";
import type { SegmentState } from "#domain/peering/peering-path.ts";
import { segmentLook } from "./segment-look.ts";
import { VisuallyHidden } from "../text/visually-hidden.tsx";

export interface PathEnd {
  readonly title: string;
  readonly name: string;
  /** AS number and addresses, a line each. */
  readonly facts: readonly string[];
}

export interface PathLane {
  readonly name: string;
  readonly state: SegmentState;
  readonly facts: readonly string[];
  /** A line below the lane. */
  readonly note?: string;
}

export interface PathLanesProps {
  readonly left: PathEnd;
  readonly right: PathEnd;
  readonly lanes: readonly PathLane[];
}

const Lanes = chakra("div", {
  base: {
    display: "grid",
    gridTemplateColumns: {
      base: "minmax(0, 1fr)",
      lg: "minmax(11rem, 15rem) minmax(0, 1fr) minmax(11rem, 15rem)",
    },
    alignItems: "stretch",
    p: { base: "4", md: "5" },
    bg: "bg.panel",
    borderWidth: "1px",
    borderRadius: "lg",
    boxShadow: "panel",
    "& .end": {
      px: "4",
      py: "3",
      // The height with all facts. Addresses arrive later.
      minHeight: "6.75rem",
      "&:last-of-type": { minHeight: "7.75rem" },
      bg: "bg.subtle",
      borderWidth: "1px",
      borderRadius: "md",
      fontSize: "sm",
      overflowWrap: "anywhere",
    },
    "& .title": { color: "fg.muted" },
    "& .name": { fontFamily: "mono", fontWeight: "semibold" },
    "& .fact": { fontFamily: "mono", fontSize: "xs", color: "fg.muted" },
    "& .lanes": { display: "grid", alignContent: "center", rowGap: "2.5", py: { base: "3", lg: "0" } },
    "& .lane": { fontSize: "xs", color: "fg.muted", textAlign: "center" },
    "& .text": { display: "block", px: "3", pb: "1" },
    "& .note": { display: "block", px: "3", pt: "1" },
    "& .line": { display: "block", height: "5px", forcedColorAdjust: "none" },
    "& [data-state=good]": { bg: "plot.good" },
    "& [data-state=degraded]": {
      bgImage: "repeating-linear-gradient(90deg, {colors.plot.issues} 0 14px, transparent 14px 18px)",
    },
    "& [data-state=broken]": {
      bgImage:
        "linear-gradient(90deg, {colors.plot.down} 48.5%, transparent 48.5% 51.5%, {colors.plot.down} 51.5%)",
    },
    "& [data-state=unknown]": {
      bgImage: "repeating-linear-gradient(90deg, {colors.plot.unknown} 0 3px, transparent 3px 9px)",
    },
  },
});

/** The path of a peering drawn large: two ends, and a lane for each layer between them. On a phone it runs downwards. */
export function PathLanes({ left, right, lanes }: PathLanesProps) {
  return (
    <Lanes>
      <End {...left} />
      <div className="lanes">
        {lanes.map(({ name, state, facts, note = "" }) => (
          <div key={name} className="lane">
            <span className="text">
              {[name, ...facts].join(" · ")}
              <VisuallyHidden>, {state}</VisuallyHidden>
            </span>
            <span className="line" data-state={segmentLook(state)} aria-hidden />
            {note !== "" && <span className="note">{note}</span>}
          </div>
        ))}
      </div>
      <End {...right} />
    </Lanes>
  );
}

function End({ title, name, facts }: PathEnd) {
  return (
    <div className="end">
      <p className="title">{title}</p>
      <p translate="no" className="name">
        {name}
      </p>
      {facts.map((fact) => (
        <p key={fact} translate="no" className="fact">
          {fact}
        </p>
      ))}
    </div>
  );
}
