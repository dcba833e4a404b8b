import { chakra } from "@chakra-ui/react/styled-system";
import type { ObservedSpan } from "../../../contract/entities.ts";
import { outcomeOf } from "./outcomes.ts";

/** In the units of the drawing, where each stretch of time is one wide. */
export const stripHeight = 100;

const width = 0.72;
const layers = ["good", "issues", "down", "fg.subtle"] as const;
type Layer = (typeof layers)[number];

interface Block {
  readonly layer: Layer;
  readonly from: number;
  readonly to: number;
}

/**
 * How a stretch looks, so that outcomes differ without their colours too: OK is a whole bar, issues are a
 * shorter one, down is a bar broken in two, down in part one whose top is broken off, and no data is a dot on
 * the ground.
 */
function blocksOf(span: ObservedSpan): readonly Block[] {
  switch (outcomeOf(span)) {
    case "OK":
      return [{ layer: "good", from: 0, to: stripHeight }];
    case "Issues":
      return [{ layer: "issues", from: 0, to: 70 }];
    case "Down in part":
      return [
        { layer: "good", from: 0, to: 50 },
        { layer: "down", from: 62, to: stripHeight },
      ];
    case "Down":
      return [
        { layer: "down", from: 0, to: 44 },
        { layer: "down", from: 56, to: stripHeight },
      ];
    case "No data":
      return [{ layer: "fg.subtle", from: 0, to: 7 }];
  }
}

/** A bar for each stretch of time, to stand in an SVG; one path a colour, however many there are. */
export function Bars({ spans }: { readonly spans: readonly ObservedSpan[] }) {
  const blocks = spans.map(blocksOf);
  return layers.map((layer) => (
    <chakra.path
      key={layer}
      fill={layer}
      d={blocks
        .map((own, index) => own.filter((block) => block.layer === layer).map((block) => draw(block, index)))
        .flat(2)
        .join("")}
    />
  ));
}

function draw({ from, to }: Block, index: number): string {
  return `M${index + (1 - width) / 2} ${stripHeight - from}v${from - to}h${width}v${to - from}z`;
}
