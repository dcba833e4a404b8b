/** The rest after a restart of BGP: sessions need some time to come back, and another restart would drop them again. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { restartRestMs } from "#contract/diagnostics.ts";
import { createAppStore, useStore } from "#web/browser/store.ts";

/** When the rests end, in milliseconds since 1970, by AS and node. In memory: the server has the same limit. */
const restEnds = createAppStore<ReadonlyMap<string, number>>(new Map());

export interface RestartRest {
  /** 0 while nothing rests. */
  readonly secondsLeft: number;
  readonly begin: () => void;
  /** Ends the rest after a restart that did not happen. */
  readonly cancel: () => void;
}

export function useRestartRest(username: string, node: string): RestartRest {
  const store = restEnds(useQueryClient());
  const key = `${username} ${node}`;
  const endsAt = useStore(store).get(key) ?? 0;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (endsAt === 0) return;
    const update = () => setNow(Date.now());
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [endsAt]);
  const setEnd = (end: number) => store.set(new Map(store.get()).set(key, end));
  return {
    secondsLeft: Math.max(0, Math.ceil((endsAt - now) / 1000)),
    begin: () => {
      setNow(Date.now());
      setEnd(Date.now() + restartRestMs);
    },
    cancel: () => setEnd(0),
  };
}
