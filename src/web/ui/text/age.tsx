import { chakra } from "@chakra-ui/react/styled-system";
import { History } from "lucide-react";
import { useEffect, useState } from "react";
import { formatAge } from "../../../domain/age.ts";

const secondMs = 1000;

export interface AgeProps {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Text before the age, with its trailing space: "as of ". */
  readonly before?: string;
}

/** How long ago `at` was, updated every second. Not a live region: screen readers do not announce the updates. */
export function Age({ at, before = "" }: AgeProps) {
  const [now, setNow] = useState(at);
  useEffect(() => {
    const update = () => setNow(Date.now());
    update();
    const timer = setInterval(update, secondMs);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <time dateTime={new Date(at).toISOString()}>{before + formatAge(Math.max(0, now - at) / secondMs)}</time>
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
        <History size={14} aria-hidden />
      </chakra.span>
      <Age at={fetchedAt} before="last known, " />
    </chakra.span>
  );
}
