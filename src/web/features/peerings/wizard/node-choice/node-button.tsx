import { chakra } from "@chakra-ui/react/styled-system";
import { useId } from "react";
import type { NodeSummary } from "#contract/history.ts";
import { useNodeHost, useNodePlace } from "#web/api/provider.ts";
import { bubbleState, StatusBubble, unknownWord } from "#web/ui/feedback/status-bubble.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { countOf } from "#domain/text/plural.ts";

export interface Choosable {
  /** This AS already peers with the node. */
  readonly peered: boolean;
  /** The server has refused a peering with the node. */
  readonly isRefused: boolean;
  /** What the server knows of the node; undefined without a history. */
  readonly known: NodeSummary | undefined;
}

export interface NodeButtonProps extends Choosable {
  readonly name: string;
  readonly chosen: boolean;
  /** Null if the list has no place for round trips. */
  readonly roundTrip: RoundTrip | null;
  readonly onChoose: () => void;
}

export interface RoundTrip {
  /** Milliseconds; null if there is none, undefined until it is known. */
  readonly latency: number | null | undefined;
  readonly isNearest: boolean;
  /** Whether its place is kept until it arrives. */
  readonly isLate: boolean;
}

export function rowsHeight(count: number) {
  return { base: `${4.125 * count}rem`, md: `${3.75 * count}rem` };
}

const columns = "auto minmax(0, 1fr) 8rem 12rem";
const columnsWithRoundTrip = "auto minmax(0, 1fr) 6.5rem 5.5rem 7rem";

/**
 * A row of the list. On a phone the note is below the state. A row has room for one note there: the reason why a node cannot
 * be chosen or does not respond, otherwise the round trip.
 */
const Choice = chakra("button", {
  base: {
    display: "grid",
    gridTemplateColumns: { base: "auto minmax(0, 1fr) auto", md: columns },
    alignItems: "center",
    columnGap: "3.5",
    width: "full",
    minHeight: rowsHeight(1),
    px: { base: "4", md: "5" },
    py: "2",
    textAlign: "start",
    cursor: "pointer",
    "button + &": { borderTopWidth: "1px" },
    "&:hover:not([aria-pressed=true], :disabled)": { bg: "bg.subtle" },
    _pressed: { bg: "accent.subtle" },
    _disabled: { cursor: "not-allowed", color: "fg.muted" },
    _focusVisible: { outlineOffset: "-2px" },
    "& .mark": { boxSize: "4", borderRadius: "full", borderWidth: "1.5px", borderColor: "border.emphasized" },
    "&[aria-pressed=true] .mark": { borderWidth: "5px", borderColor: "accent" },
    "&:disabled .mark": { opacity: 0.5 },
    "& .host": { fontFamily: "mono", overflowWrap: "anywhere" },
    "& .note": { display: "block", fontSize: "sm", color: "fg.muted" },
    mdDown: { "& .more": { srOnly: true } },
    // The note beside it arrives later and must not add a line. The chosen node shows the whole place.
    "& .place": { truncate: { base: true, md: false } },
    "&[aria-pressed=true] .place": { whiteSpace: "normal" },
    "& .state": { display: { base: "grid", md: "contents" }, justifyItems: "end", rowGap: "1" },
    // Keeps the place of the bubble, which arrives later.
    "& .health": { display: "grid", justifyItems: "start", minHeight: "1.1875rem" },
    "&.measured": {
      md: { gridTemplateColumns: columnsWithRoundTrip },
      "& .state": { minWidth: "3.5rem" },
      // The width of the longest round trip with its mark.
      "&.late .state": { minWidth: "6.5rem" },
      "& .count, & .none, &.reasoned .trip": { mdDown: { display: "none" } },
    },
    "& .trip": {
      minHeight: "5",
      whiteSpace: "nowrap",
      fontVariantNumeric: "tabular-nums",
      mdDown: { fontSize: "sm", color: "fg.muted", order: 1 },
    },
    "& .nearest": {
      color: "good",
      md: { display: "block", fontSize: "sm" },
      mdDown: { _before: { content: '"· "' } },
    },
  },
});

/** The heads of the columns, which are visible where there are columns. */
const Heads = chakra("div", {
  base: {
    display: { base: "none", md: "grid" },
    gridTemplateColumns: columnsWithRoundTrip,
    columnGap: "3.5",
    px: "5",
    py: "2",
    borderBottomWidth: "1px",
    fontSize: "xs",
    color: "fg.muted",
    // As wide as the mark.
    "& :first-of-type": { width: "4" },
  },
});

export function ColumnHeads() {
  return (
    <Heads aria-hidden>
      <span />
      <span>Node</span>
      <span>From your router</span>
      <span>State</span>
      <span>Peerings</span>
    </Heads>
  );
}

export function NodeButton({ name, chosen, roundTrip, onChoose, ...choosable }: NodeButtonProps) {
  const { known } = choosable;
  const nodeHost = useNodeHost();
  const place = useNodePlace(name);
  const obstacle = findObstacle(choosable);
  const { reason, count } = noteOf(obstacle, known);
  const id = useId();
  return (
    <Choice
      type="button"
      className={roundTrip ? classNames(roundTrip, reason) : undefined}
      aria-pressed={chosen}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-state ${roundTrip ? `${id}-trip ` : ""}${id}-note`}
      disabled={obstacle !== ""}
      onClick={onChoose}
    >
      <span className="mark" aria-hidden />
      <span id={`${id}-name`}>
        <span translate="no" className="host">
          {nodeHost(name)}
        </span>{" "}
        {place !== "" && (
          <span className="note place">
            <bdi>{place}</bdi>
          </span>
        )}
      </span>
      <span className="state">
        {roundTrip && (
          <span id={`${id}-trip`} className="trip">
            <RoundTripText {...roundTrip} />
          </span>
        )}
        <span id={`${id}-state`} className="health">
          {known && known.now !== null && <NodeBubble now={known.now} />}
        </span>
        <span id={`${id}-note`} className={reason === "" ? "note count" : "note"}>
          {reason.startsWith(closed) ? <ClosedNote reason={reason} /> : reason || count}
        </span>
      </span>
    </Choice>
  );
}

function classNames({ isLate }: RoundTrip, reason: string): string {
  return `measured${isLate ? " late" : ""}${reason === "" ? "" : " reasoned"}`;
}

/** On a phone it must not make the name narrower. */
function ClosedNote({ reason }: { readonly reason: string }) {
  return (
    <>
      {closed}
      <span className="more">{reason.slice(closed.length)}</span>
    </>
  );
}

function RoundTripText({ latency, isNearest }: RoundTrip) {
  if (latency === undefined) return null;
  if (latency === null) {
    return (
      <span className="none" aria-hidden>
        –
      </span>
    );
  }
  return (
    <>
      <VisuallyHidden>From your router: </VisuallyHidden>
      {latency < 1 ? "<1" : Math.round(latency)} ms
      {isNearest && (
        <>
          {" "}
          <span className="nearest">nearest</span>
        </>
      )}
    </>
  );
}

/** A node that did not reply is down in the history; its state is unknown. */
function NodeBubble({ now }: { readonly now: string }) {
  return now === "Down" ? (
    <StatusBubble state="down" word={unknownWord} />
  ) : (
    <StatusBubble state={bubbleState(now)} word={now} />
  );
}

const closed = "closed";

/** What keeps the participant from a new peering with the node; "" if nothing is known. */
export function findObstacle({ peered, isRefused, known }: Choosable): string {
  if (peered) return "already peered";
  if (known?.newPeers === "full") return `full, ${countOf(known.capacity ?? 0, "peering")}`;
  if (known?.newPeers === "closed") return `${closed} to new peerings`;
  if (known?.newPeers === "draining") return `${closed}, out of service soon`;
  return isRefused ? "not available" : "";
}

/** What cannot be done with the node, and the number of its peerings; empty texts where there is nothing to say. */
function noteOf(obstacle: string, known: NodeSummary | undefined) {
  if (obstacle !== "") return { reason: obstacle, count: "" };
  if (known?.now === "Down") return { reason: "does not respond", count: "" };
  if (!known || known.peerings === null) return { reason: "", count: "" };
  return { reason: "", count: countOf(known.peerings, "peering") };
}
