import type { SegmentState } from "#domain/peering/peering-path.ts";

/** How a segment of a path is drawn: one that is not reached looks as one that is not known. */
export function segmentLook(state: SegmentState): Exclude<SegmentState, "not reached"> {
  return state === "not reached" ? "unknown" : state;
}
