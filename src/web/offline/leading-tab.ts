/**
 * Which of the browser's tabs does what has to be done once: the one that came to the front last, because a
 * browser slows the timers of hidden tabs down to one a minute. When it closes, one of the others takes over.
 *
 * Invariants:
 * - A tab has at most one request for the lock, waiting or held.
 * - A browser that gives no locks has tabs that all do it.
 */
import { useEffect, useState } from "react";

const lock = "peerdeck-leading-tab";

/** Whether this tab is the one, from now on until it is unmounted. */
export function useLeading(): boolean {
  const [leading, setLeading] = useState(false);
  useEffect(() => runForLead(setLeading), []);
  return leading;
}

/** Reports when this tab takes the lead and when it loses it, until the answered function is called. */
function runForLead(onChange: (leading: boolean) => void): () => void {
  if (!("locks" in navigator)) {
    onChange(true);
    return () => onChange(false);
  }
  let turn = new AbortController();
  let leading = false;
  const change = (now: boolean) => {
    leading = now;
    onChange(now);
  };

  function take(how: "wait" | "steal"): void {
    turn.abort();
    turn = new AbortController();
    void hold(turn.signal, how);
  }

  async function hold(signal: AbortSignal, how: "wait" | "steal"): Promise<void> {
    const end = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    try {
      await navigator.locks.request(lock, how === "steal" ? { steal: true } : { signal }, async () => {
        if (signal.aborted) return;
        change(true);
        await end;
      });
    } catch (error) {
      if (signal.aborted) return;
      // Anything but the theft by another tab is a browser that has locks and refuses them.
      const stolen = error instanceof DOMException && error.name === "AbortError";
      change(!stolen);
      if (stolen) take("wait");
    }
  }

  const come = () => {
    if (document.visibilityState === "visible" && !leading) take("steal");
  };
  document.addEventListener("visibilitychange", come);
  take(document.visibilityState === "visible" ? "steal" : "wait");
  return () => {
    document.removeEventListener("visibilitychange", come);
    turn.abort();
    change(false);
  };
}
