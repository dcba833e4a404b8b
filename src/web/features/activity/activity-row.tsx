import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { Button } from "../../ui/forms/button.tsx";
import { formatExactTime } from "../../ui/text/format-time.ts";
import { formatTimeOfDay } from "../../ui/text/time-of-day.ts";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";

export interface ActivityRowProps {
  readonly entry: ActivityEntry;
  /** Called when the participant says that an entry was another person's act. */
  readonly onSuspect: (entry: ActivityEntry) => void;
}

export function ActivityRow({ entry, onSuspect }: ActivityRowProps) {
  const { at, text, network, own, suspect, changes, outcome } = entry;
  return (
    <RowFrame
      at={at}
      action={
        suspect &&
        !own && (
          <Button size="sm" onClick={() => onSuspect(entry)}>
            This was not me<VisuallyHidden>{`: ${text}`}</VisuallyHidden>
          </Button>
        )
      }
    >
      <p>{text}</p>
      {outcome && (
        <chakra.p fontSize="sm" color={outcome.state === "failed" ? "down" : "fg.muted"}>
          {outcome.text}
        </chakra.p>
      )}
      {(network !== null || own) && <Origin network={network} own={own} />}
      {/* The sentence has the value already where there is one. */}
      {changes.length > 1 && <Changes changes={changes} />}
    </RowFrame>
  );
}

export interface RowFrameProps {
  readonly at: number;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** The time of what happened, what it was, and what can be done about it. */
export function RowFrame({ at, action, children }: RowFrameProps) {
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={{ base: "minmax(0, 1fr)", md: "3.5rem minmax(0, 1fr) auto" }}
      columnGap="4"
      rowGap="1"
      alignItems="baseline"
      px={{ base: "4", md: "5" }}
      py="2.5"
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <chakra.time
        dateTime={new Date(at).toISOString()}
        title={formatExactTime(at)}
        color="fg.muted"
        fontSize="sm"
        fontVariantNumeric="tabular-nums"
      >
        {formatTimeOfDay(at)}
      </chakra.time>
      <chakra.div minWidth="0" overflowWrap="anywhere">
        {children}
      </chakra.div>
      {action && <chakra.div>{action}</chakra.div>}
    </chakra.li>
  );
}

function Origin({ network, own }: Pick<ActivityEntry, "network" | "own">) {
  return (
    <chakra.p fontSize="sm" color="fg.muted">
      {network !== null && (
        <>
          from{" "}
          <chakra.span htmlTranslate="no" fontFamily="mono">
            {network}
          </chakra.span>
        </>
      )}
      {network !== null && own && ", "}
      {own && "this login session"}
    </chakra.p>
  );
}

function Changes({ changes }: Pick<ActivityEntry, "changes">) {
  return (
    <chakra.details mt="1" fontSize="sm">
      <chakra.summary color="fg.muted" cursor="pointer" width="fit-content" py="0.5">
        {changes.length} values
      </chakra.summary>
      <chakra.dl mt="1.5" display="grid" gridTemplateColumns={{ sm: "12rem minmax(0, 1fr)" }} columnGap="4">
        {changes.map(({ field, before, after }) => (
          <chakra.div key={field} display="contents">
            <chakra.dt color="fg.muted">{field}</chakra.dt>
            <chakra.dd htmlTranslate="no" fontFamily="mono" minWidth="0" pb={{ base: "1.5", sm: "0.5" }}>
              {before !== null && after !== null ? (
                <>
                  {before} <span aria-label="changed to">→</span> {after}
                </>
              ) : (
                (after ?? before)
              )}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </chakra.details>
  );
}
