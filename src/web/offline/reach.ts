/** Whether the server answered the last read. It stands in the cache of queries, as everything that is known of it. */
import { type QueryClient, useQuery } from "@tanstack/react-query";

const key = ["server-reached"];

/** @param reached false: there was no answer, or the worker gave one from what the device keeps. */
export function noteReach(client: QueryClient, reached: boolean): void {
  const before = client.getQueryData<boolean>(key);
  client.setQueryData(key, reached);
  // What the screen shows from before is asked for again the moment that it can be.
  if (reached && before === false) void client.invalidateQueries({ type: "active" });
}

/** True until a read has shown otherwise. */
export function useServerReached(): boolean {
  return useQuery({ queryKey: key, queryFn: () => true, enabled: false, initialData: true, gcTime: Infinity })
    .data;
}
