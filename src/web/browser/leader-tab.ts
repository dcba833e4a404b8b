/**
 * Elects the tab that does what has to be done once. It is the tab that became visible last, because browsers slow the
 * timers of hidden tabs down to one a minute. When it closes, another tab takes over.
 *
 * Invariants:
 * - A tab has at most one request for the lock, waiting or held.
 * - In a browser without locks, every tab is a leader.
 */
import { useEffect, useState } from "react";

/** Persisted name: tabs of other builds compete for the same lock. */
const lockName = "peerdeck-leader-tab";

/** Whether this tab is the leader. It stops being one when the component unmounts. */
export function useIsLeader(): boolean {
  const [isLeader, setIsLeader] = useState(false);
  useEffect(() => electLeader(setIsLeader), []);
  return isLeader;
}

/** Reports when this tab becomes the leader and when it stops, until the returned function is called. */
function electLeader(onChange: (isLeader: boolean) => void): () => void {
  if (!("locks" in navigator)) {
    onChange(true);
    return () => onChange(false);
  }
  let request = new AbortController();
  let isLeader = false;
  const change = (now: boolean) => {
    isLeader = now;
    onChange(now);
  };

  function take(mode: "wait" | "steal"): void {
    request.abort();
    request = new AbortController();
    void hold(request.signal, mode);
  }

  async function hold(signal: AbortSignal, mode: "wait" | "steal"): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    try {
      await navigator.locks.request(lockName, mode === "steal" ? { steal: true } : { signal }, async () => {
        if (signal.aborted) return;
        change(true);
        await aborted;
      });
    } catch (error) {
      if (signal.aborted) return;
      // Either another tab has stolen the lock, or the browser has locks and refuses them.
      const isStolen = error instanceof DOMException && error.name === "AbortError";
      change(!isStolen);
      if (isStolen) take("wait");
    }
  }

  const onVisible = () => {
    if (document.visibilityState === "visible" && !isLeader) take("steal");
  };
  document.addEventListener("visibilitychange", onVisible);
  take(document.visibilityState === "visible" ? "steal" : "wait");
  return () => {
    document.removeEventListener("visibilitychange", onVisible);
    request.abort();
    change(false);
  };
}
