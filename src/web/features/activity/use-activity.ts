import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { activityCalls } from "#contract/call-tables/activity-calls.ts";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { call } from "../../api/client.ts";
import { activityQuery } from "../../api/activity-query.ts";

interface OlderPages {
  readonly entries: readonly ActivityEntry[];
  readonly next: string | null;
}

/** The newest events of an AS, and the older ones that were loaded on request. */
export function useActivity(username: string) {
  const newest = useQuery(activityQuery(username));
  const [older, setOlder] = useState<OlderPages | null>(null);
  const first = newest.data?.entries ?? [];
  // Events that left the newest page since the older ones were loaded are in both lists or in the older one.
  const shown = new Set(first.map(({ id }) => id));
  const entries = [...first, ...(older?.entries ?? []).filter(({ id }) => !shown.has(id))];
  const next = older ? older.next : (newest.data?.next ?? null);

  const loadOlder = useMutation({
    mutationFn: (before: string) => call(activityCalls.getActivity, { username, before }),
    onSuccess: (page) => setOlder({ entries: [...entries, ...page.entries], next: page.next }),
  });

  return { newest, entries, next, loadOlder };
}
