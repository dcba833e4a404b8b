/**
 * Elects the tab that does what has to be done once. It is the tab that became visible last, because browsers slow the
 * timers of hidden tabs down to one a minute. When it closes, another tab takes over.
 *
 * Invariants:
 * - A tab has at most one request for the lock, waiting or held.
 * - In a browser without locks, every tab is a leader: it polls for itself, and has an event stream while it is visible.
 */
import { useEffect, useState } from "react";

/** Persisted name: tabs of other builds compete for the same lock. */
const lockName = "peerdeck-leader-tab";

/**
 * - `leader`: elected by all tabs.
 * - `follower`: another tab is the leader.
 * - `unopposed`: a leader in a browser without locks, such as every browser on a page over plain HTTP. Every other tab is
 *   one too.
 */
export type TabRole = "leader" | "follower" | "unopposed";

/** The role of this tab. It is a follower when the component unmounts. */
export function useTabRole(): TabRole {
  const [role, setRole] = useState<TabRole>("follower");
  useEffect(() => electLeader(setRole), []);
  return role;
}

/** Reports the role of this tab when it changes, until the returned function is called. */
function electLeader(onChange: (role: TabRole) => void): () => void {
  if (!("locks" in navigator)) {
    onChange("unopposed");
    return () => onChange("follower");
  }
  let request = new AbortController();
  let isLeader = false;
  const change = (role: TabRole) => {
    isLeader = role !== "follower";
    onChange(role);
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
        change("leader");
        await aborted;
      });
    } catch (error) {
      if (signal.aborted) return;
      // Either another tab has stolen the lock, or the browser has locks and refuses them.
      const isStolen = error instanceof DOMException && error.name === "AbortError";
      change(isStolen ? "follower" : "unopposed");
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
    change("follower");
  };
}
