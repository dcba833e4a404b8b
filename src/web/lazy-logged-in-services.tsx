import { hashKey, useQueryClient } from "@tanstack/react-query";
import { createElement, type FunctionComponent, useEffect, useState, useSyncExternalStore } from "react";
import { authStatusQuery } from "./api/login-session.ts";

interface Chunk {
  readonly LoggedInServices: FunctionComponent<{ readonly username: string }>;
}

const retryMs = 5_000;

/** Loads what runs while an AS is logged in. A visitor of the public screens never loads it. */
export function LazyLoggedInServices() {
  const queryClient = useQueryClient();
  // Reads the cache itself: a login and a logout remove the query, which an observer of it would not notice.
  const { queryKey } = authStatusQuery();
  const authStatus = useSyncExternalStore(
    (onChange) =>
      queryClient.getQueryCache().subscribe(({ type, query }) => {
        // Other queries report while components render, when no state may change.
        if ((type === "updated" || type === "removed") && query.queryHash === hashKey(queryKey)) onChange();
      }),
    () => queryClient.getQueryData(queryKey),
  );
  const username = authStatus?.isAuthenticated === true ? authStatus.username : null;
  const chunk = useServicesChunk(username !== null);
  if (username === null || chunk === null) return null;
  return createElement(chunk.LoggedInServices, { key: username, username });
}

/** Null until the chunk is loaded. A failed load, for example just after the connection broke, is retried. */
function useServicesChunk(isNeeded: boolean): Chunk | null {
  const [chunk, setChunk] = useState<Chunk | null>(null);
  const [attempt, setAttempt] = useState(0);
  const isMissing = isNeeded && chunk === null;
  useEffect(() => {
    if (!isMissing) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      try {
        setChunk(await import("./logged-in-services.tsx"));
      } catch {
        timer = setTimeout(() => setAttempt((previous) => previous + 1), retryMs);
      }
    };
    void load();
    return () => clearTimeout(timer);
  }, [isMissing, attempt]);
  return chunk;
}
