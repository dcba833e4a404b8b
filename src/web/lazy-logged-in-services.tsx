import { createElement, type FunctionComponent, useEffect, useState } from "react";
import { useLoggedInAs } from "./api/login-session.ts";

interface Chunk {
  readonly LoggedInServices: FunctionComponent<{ readonly username: string }>;
}

const retryMs = 5_000;

/** Loads what runs while an AS is logged in. A visitor of the public screens never loads it. */
export function LazyLoggedInServices() {
  const username = useLoggedInAs();
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
