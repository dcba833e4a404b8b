import { formatDuration } from "#domain/text/age.ts";
import { toDeviceTime, toServerTime } from "#web/api/server-ages.ts";
import { useNow } from "#web/ui/text/clock.ts";
import { formatDate, formatDay, formatExactTime } from "#web/ui/text/format-time.ts";
import { formatTimeOfDay } from "#web/ui/text/time-of-day.ts";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";

export interface SinceProps {
  /** In milliseconds since 1970 by the server's clock. */
  readonly at: number;
  /** Only for how long. */
  readonly isShort?: boolean;
}

/** "since 14:05, 3 h", or with the date if that was before today. */
export function Since({ at, isShort = false }: SinceProps) {
  const now = useNow();
  const isToday = formatDate(at) === formatDate(toServerTime(now));
  const duration = formatDuration(Math.max(0, now - toDeviceTime(at)) / 1000);
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactTime(at)}>
      {isShort ? (
        <>
          <VisuallyHidden>for </VisuallyHidden>
          {duration}
        </>
      ) : (
        `since ${isToday ? formatTimeOfDay(at) : formatDay(at)}, ${duration}`
      )}
    </time>
  );
}
