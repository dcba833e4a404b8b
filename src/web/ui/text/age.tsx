import { chakra } from "@chakra-ui/react/styled-system";
import { formatAge } from "#domain/text/age.ts";
import { useNow } from "./clock.ts";

const secondMs = 1000;

export interface AgeProps {
  /** Milliseconds since 1970 by the device's clock. */
  readonly at: number;
  /** Text before the age, with its trailing space: "as of ". */
  readonly before?: string;
}

/** How long ago `at` was, updated every second. Not a live region: screen readers do not announce the updates. */
export function Age({ at, before = "" }: AgeProps) {
  const now = useNow();
  // Wide enough for any age, so that the text stays where it is when it is aligned to the right.
  const style = { display: "inline-block", minWidth: `${before.length + 8}ch` };
  return (
    <time dateTime={new Date(at).toISOString()} style={style}>
      {before + formatAge(Math.max(0, now - at) / secondMs)}
    </time>
  );
}

export interface CachedAgeProps {
  /** When the cached data was fetched, milliseconds since 1970; null for live data, which renders nothing. */
  readonly fetchedAt: number | null;
}

/** Marks the data beside it as cached: "last known, 3 minutes ago". */
export function CachedAge({ fetchedAt }: CachedAgeProps) {
  if (fetchedAt === null) return null;
  return (
    <chakra.span display="inline-flex" alignItems="baseline" gap="1.5" fontSize="sm" color="issues">
      <chakra.span alignSelf="center">
        <Clock />
      </chakra.span>
      <Age at={fetchedAt} before="last known, " />
    </chakra.span>
  );
}

export interface DataAgeProps extends Required<Omit<AgeProps, "at">>, CachedAgeProps {
  /** When live data was loaded, milliseconds since 1970; null before. */
  readonly at: number | null;
}

/** The age of what a panel shows, at the right of its title. */
export function DataAge({ at, before, fetchedAt }: DataAgeProps) {
  if (fetchedAt !== null) return <CachedAge fetchedAt={fetchedAt} />;
  if (at === null) return null;
  return (
    <chakra.span fontSize="xs" color="fg.muted" textAlign="end" ms="auto">
      <Age at={at} before={before} />
    </chakra.span>
  );
}

/** Inline because the dashboard has no other icon: this keeps the icon library out of its file. */
function Clock() {
  return (
    <svg
      viewBox="0 0 16 16"
      width={14}
      height={14}
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <path d="M2.2 5.5A6.2 6.2 0 1 1 1.8 8M2 2.5v3h3M8 4.5V8l2.5 1.5" />
    </svg>
  );
}
