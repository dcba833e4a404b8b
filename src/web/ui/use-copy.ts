import { useEffect, useState } from "react";

/** How long the word "copied" stays. */
const shownFor = 1500;

export type CopyState = "idle" | "copied" | "refused";

/** Writes to the clipboard and tells for 1500 ms how that went; browsers refuse on pages without TLS. */
export function useCopy(): readonly [CopyState, (value: string) => void] {
  const [done, setDone] = useState<{ readonly state: CopyState }>({ state: "idle" });

  useEffect(() => {
    if (done.state === "idle") return;
    const timer = setTimeout(() => setDone({ state: "idle" }), shownFor);
    return () => clearTimeout(timer);
  }, [done]);

  const write = async (value: string) => {
    try {
      await navigator.clipboard.writeText(value);
      setDone({ state: "copied" });
    } catch {
      setDone({ state: "refused" });
    }
  };
  return [done.state, (value) => void write(value)];
}
