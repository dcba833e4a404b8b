import { useEffect, useState } from "react";
import { spokenAge } from "../../domain/age.ts";

const second = 1000;

export interface AgeProps {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Words before it, with their space: "as of ". */
  readonly before?: string;
}

/** How long ago something was true, counting on while somebody looks. Silent for screen readers until they read it. */
export function Age({ at, before = "" }: AgeProps) {
  const [now, setNow] = useState(at);
  useEffect(() => {
    const count = () => setNow(Date.now());
    count();
    const timer = setInterval(count, second);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <time dateTime={new Date(at).toISOString()}>{before + spokenAge(Math.max(0, now - at) / second)}</time>
  );
}
