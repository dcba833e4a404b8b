import { useEffect, useState } from "react";

const secondMs = 1000;

export interface AsOfProps {
  /** When what is shown was true, milliseconds since 1970. */
  readonly at: number;
}

/** "as of 12 s ago", counting. Not read aloud by itself: it would never stop. */
export function AsOf({ at }: AsOfProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), secondMs);
    return () => clearInterval(timer);
  }, []);
  return <time dateTime={new Date(at).toISOString()}>as of {age(Math.max(0, now - at))} ago</time>;
}

/** In its largest whole unit: "12 s", "3 min", "5 h", "2 days". */
function age(ms: number): string {
  const minutes = Math.floor(ms / (60 * secondMs));
  if (minutes < 1) return `${Math.floor(ms / secondMs)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
