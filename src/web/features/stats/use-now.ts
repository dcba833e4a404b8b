import { useEffect, useState } from "react";
import { serverNow } from "../../api/server-clock.ts";

/** The time by the server's clock, milliseconds since 1970, told anew at this interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
