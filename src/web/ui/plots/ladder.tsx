import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import type { SegmentState } from "#domain/peering/peering-path.ts";
import { VisuallyHidden } from "../text/visually-hidden.tsx";

export interface Rung {
  readonly label: string;
  readonly state: SegmentState;
  /** A short fact at the right. */
  readonly fact?: string;
  /** What is wrong, and how to fix it. */
  readonly finding?: ReactNode;
  /** What changes no state, in short sentences. */
  readonly notes?: readonly string[];
}

const marks: Readonly<Record<SegmentState, string>> = {
  good: "✓",
  degraded: "!",
  broken: "!",
  "not reached": "·",
  unknown: "·",
};

const List = chakra("ol", {
  base: {
    display: "grid",
    "& > li": {
      position: "relative",
      display: "grid",
      gridTemplateColumns: "1.375rem minmax(0, 1fr) auto",
      columnGap: "3",
      alignItems: "start",
      pb: "4",
      _last: { pb: "0" },
    },
    // The line between two marks.
    "& > li:not(:last-child)::before": {
      content: '""',
      position: "absolute",
      insetInlineStart: "0.625rem",
      top: "1.375rem",
      bottom: "0",
      width: "2px",
      bg: "border",
    },
    "& .mark": {
      display: "grid",
      placeItems: "center",
      boxSize: "5.5",
      borderRadius: "full",
      fontSize: "xs",
      fontWeight: "semibold",
      bg: "bg.muted",
      color: "fg.muted",
    },
    "& [data-state=good] .mark": { bg: "good.subtle", color: "good" },
    "& [data-state=degraded] .mark": { bg: "issues.subtle", color: "issues" },
    "& [data-state=broken] .mark": { bg: "down", color: "bg.panel" },
    "& .fact": { fontSize: "sm", color: "fg.muted", textAlign: "end" },
    "& [data-state=waiting] .label": { color: "fg.muted" },
    "& .note": { gridColumn: "2 / -1", fontSize: "sm", color: "fg.muted", overflowWrap: "anywhere" },
    "& .finding": {
      gridColumn: "2 / -1",
      mt: "1.5",
      px: "3.5",
      py: "2.5",
      borderWidth: "1px",
      borderColor: "currentColor",
      borderRadius: "md",
      fontSize: "sm",
      overflowWrap: "anywhere",
    },
    "& [data-state=waiting] .finding": { borderColor: "border.emphasized" },
    "& [data-state=broken] .finding": { borderColor: "down" },
    "& [data-state=degraded] .finding": { borderColor: "issues" },
  },
});

/** The segments of a path from the first to the last, each with its state, a fact, and what to do where it is broken. */
export function Ladder({ rungs }: { readonly rungs: readonly Rung[] }) {
  return (
    <List>
      {rungs.map(({ label, state, fact = "", finding, notes = [] }) => (
        <li key={label} data-state={state === "not reached" || state === "unknown" ? "waiting" : state}>
          <span className="mark" aria-hidden>
            {marks[state]}
          </span>
          <span className="label">
            {label}
            <VisuallyHidden>: {state}</VisuallyHidden>
          </span>
          <span className="fact">{fact}</span>
          {notes.map((note) => (
            <span key={note} className="note">
              {note}
            </span>
          ))}
          {finding !== undefined && <div className="finding">{finding}</div>}
        </li>
      ))}
    </List>
  );
}
