import { chakra } from "@chakra-ui/react/styled-system";
import { outcomeFor } from "./bucket-outcomes.ts";
import type { ObservationBucket } from "../../api/network/node-history.ts";

/** In user units of the SVG, where every time bucket is 1 wide. */
export const stripHeight = 100;

const width = 0.6;
const layers = ["plot.good", "plot.issues", "plot.unknown"] as const;
type Layer = (typeof layers)[number];

interface Block {
  readonly layer: Layer;
  readonly from: number;
  readonly to: number;
}

/**
 * Outcomes differ in shape as well as in colour, with the heights of `UptimeStrip`: OK is low, Issues is low with a gap,
 * Unknown is high, Partly unknown is split into both, and No data is a dot. Unknown is grey: nothing says that the node was
 * down.
 */
function blocksFor(bucket: ObservationBucket): readonly Block[] {
  switch (outcomeFor(bucket)) {
    case "OK":
      return [{ layer: "plot.good", from: 0, to: 65 }];
    case "Issues":
      return [
        { layer: "plot.issues", from: 0, to: 40 },
        { layer: "plot.issues", from: 52, to: 65 },
      ];
    case "Partly unknown":
      return [
        { layer: "plot.good", from: 0, to: 45 },
        { layer: "plot.unknown", from: 55, to: stripHeight },
      ];
    case "Unknown":
      return [{ layer: "plot.unknown", from: 0, to: stripHeight }];
    case "No data":
      return [{ layer: "plot.unknown", from: 5, to: 20 }];
  }
}

/** One bar per time bucket, for use in an SVG. One path per colour keeps the number of elements small. */
export function Bars({ buckets }: { readonly buckets: readonly ObservationBucket[] }) {
  const blocks = buckets.map(blocksFor);
  return layers.map((layer) => (
    <chakra.path
      key={layer}
      fill={layer}
      d={blocks
        .map((own, index) =>
          own.filter((block) => block.layer === layer).map((block) => blockPath(block, index)),
        )
        .flat(2)
        .join("")}
    />
  ));
}

function blockPath({ from, to }: Block, index: number): string {
  return `M${index + (1 - width) / 2} ${stripHeight - from}v${from - to}h${width}v${to - from}z`;
}

const legendItems = [
  { bucket: { from: 0, ok: 1, issues: 0, down: 0 }, text: "OK" },
  { bucket: { from: 0, ok: 0, issues: 1, down: 0 }, text: "Issues" },
  { bucket: { from: 0, ok: 1, issues: 0, down: 1 }, text: "Partly unknown" },
  { bucket: { from: 0, ok: 0, issues: 0, down: 1 }, text: "Unknown" },
  { bucket: { from: 0, ok: 0, issues: 0, down: 0 }, text: "No data" },
] as const;

/** Explains the bars of the history strips. */
export function BarLegend() {
  return (
    <chakra.ul display="flex" flexWrap="wrap" columnGap="5" rowGap="1" fontSize="xs" color="fg.muted">
      {legendItems.map(({ bucket, text }) => (
        <chakra.li key={text} display="flex" alignItems="center" gap="1.5">
          <chakra.svg
            aria-hidden
            width="1.5"
            height="4"
            viewBox={`0 0 1 ${stripHeight}`}
            preserveAspectRatio="none"
          >
            <Bars buckets={[bucket]} />
          </chakra.svg>
          {text}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}
