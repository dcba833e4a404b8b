import { useQueryClient } from "@tanstack/react-query";
import { createElement, type FunctionComponent, useEffect, useState, useSyncExternalStore } from "react";
import { authStatusQuery } from "./api/session.ts";

interface Part {
  readonly SignedIn: FunctionComponent<{ readonly username: string }>;
}

const tryAgainAfter = 5_000;

/** Brings in what goes on while somebody is signed in. A visitor of the public screens never loads it. */
export function WhileSignedIn() {
  const queryClient = useQueryClient();
  // Read from the cache itself: signing in and out takes the query away, which an observer of it would not notice.
  const session = useSyncExternalStore(
    (onChange) => queryClient.getQueryCache().subscribe(onChange),
    () => queryClient.getQueryData(authStatusQuery().queryKey),
  );
  const username = session?.isAuthenticated === true ? session.username : null;
  const part = useSignedInPart(username !== null);
  if (username === null || part === null) return null;
  return createElement(part.SignedIn, { key: username, username });
}

/** Null until it has arrived. Where the connection has just gone, it is tried again. */
function useSignedInPart(wanted: boolean): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  const [attempt, setAttempt] = useState(0);
  const missing = wanted && part === null;
  useEffect(() => {
    if (!missing) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      try {
        setPart(await import("./signed-in.tsx"));
      } catch {
        timer = setTimeout(() => setAttempt((former) => former + 1), tryAgainAfter);
      }
    };
    void load();
    return () => clearTimeout(timer);
  }, [missing, attempt]);
  return part;
}
