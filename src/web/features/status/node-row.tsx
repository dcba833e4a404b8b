import { useState } from "react";
import { formatShare } from "#domain/plot.ts";
import { countOf } from "#domain/text/plural.ts";
import { Skeleton } from "../../ui/feedback/loading.tsx";
import { Bars, stripHeight } from "./bars.tsx";
import { countResponses } from "./bucket-outcomes.ts";
import { CurrentStatus } from "./current-status.tsx";
import { describeDays, describeState } from "./describe-history.ts";
import { NodeDetails } from "./node-details.tsx";
import type { NodeHistory } from "../../api/network/node-history.ts";

export interface NodeRowProps {
  readonly name: string;
  /** `{node}.{domain}` */
  readonly host: string;
  readonly place: string;
  /** Null while it is loading. */
  readonly history: NodeHistory | null;
}

/** One node. The whole row opens its details, which are rendered on first use. */
export function NodeRow({ name, host, place, history }: NodeRowProps) {
  const [isOpen, setOpen] = useState(false);
  const reason = history && describeState(history);
  const title = (
    <>
      <h3 translate="no" className="name">
        {name}
        <span>{host.slice(name.length)}</span>
      </h3>
      <span className="about">
        <bdi className="place">{place}</bdi>
        {reason !== null && <span className="reason">{reason}</span>}
      </span>
    </>
  );
  if (history === null) {
    return (
      <li>
        <div className="row">
          {title}
          <span className="state alone">
            <Skeleton width="3.5rem" height="1.25rem" />
          </span>
          <span className="past">
            <span className="strip">
              <Skeleton height="1.25rem" />
            </span>
            <span className="uptime">
              <Skeleton height="1.25rem" />
            </span>
          </span>
        </div>
      </li>
    );
  }
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="row">
          {title}
          <span className={reason === null ? "state alone" : "state"}>
            <CurrentStatus now={history.now} />
          </span>
          <span className="past">
            <DayStrip days={history.days} />
            <ResponsesFigure days={history.days} />
          </span>
          <Mark />
          {history.problem !== undefined && <span className="problem">{history.problem}</span>}
        </summary>
        {isOpen && <NodeDetails host={host} history={history} />}
      </details>
    </li>
  );
}

type Days = Pick<NodeHistory, "days">;

/** A bar for each day, and a text with the same content. */
function DayStrip({ days }: Days) {
  const text = describeDays(days);
  return (
    <svg
      className="strip"
      role="img"
      aria-label={text}
      viewBox={`0 0 ${Math.max(1, days.length)} ${stripHeight}`}
      preserveAspectRatio="none"
    >
      <title>{text}</title>
      <Bars buckets={days} />
    </svg>
  );
}

/** The text of the strip says the same. */
function ResponsesFigure({ days }: Days) {
  const { share, observed } = countResponses(days);
  return (
    <span className="uptime" aria-hidden>
      {share === null ? "–" : formatShare(share)}
      {share !== null && (
        <span className={observed < days.length ? "days" : "days all"}> of {countOf(observed, "day")}</span>
      )}
    </span>
  );
}

function Mark() {
  return (
    <svg
      className="mark"
      viewBox="0 0 12 12"
      width={12}
      height={12}
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path d="M4 2.5L7.5 6L4 9.5" />
    </svg>
  );
}
