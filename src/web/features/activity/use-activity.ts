import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { activityCalls } from "#contract/call-tables/activity-calls.ts";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { call } from "../../api/client.ts";
import { activityQuery } from "../../api/activity-query.ts";
import { useNodeHost } from "../../api/provider.ts";
import { sessionChangesQuery } from "./session-changes-query.ts";
import { listSessionRows, type SessionRow } from "./session-rows.ts";

interface OlderPages {
  readonly entries: readonly ActivityEntry[];
  readonly next: string | null;
}

/** A row of Activity. */
export type ActivityItem = { readonly entry: ActivityEntry; readonly at: number } | SessionRow;

/** The newest events of an AS, and the older ones that were loaded on request. */
export function useActivity(username: string) {
  const newest = useQuery(activityQuery(username));
  const [older, setOlder] = useState<OlderPages | null>(null);
  const first = newest.data?.entries ?? [];
  // Events that left the newest page since the older ones were loaded are in both lists or in the older one.
  const shown = new Set(first.map(({ id }) => id));
  const entries = [...first, ...(older?.entries ?? []).filter(({ id }) => !shown.has(id))];
  const next = older ? older.next : (newest.data?.next ?? null);
  const hostOf = useNodeHost();
  const { data: sessions } = useQuery(sessionChangesQuery(username));
  const rows = useMemo(() => listSessionRows(sessions?.changes ?? [], hostOf), [sessions, hostOf]);
  // Of times whose entries are not loaded, nothing is shown.
  const oldestAt = newest.data === undefined ? Infinity : next === null ? 0 : (entries.at(-1)?.at ?? 0);
  const items: readonly ActivityItem[] = [
    ...entries.map((entry) => ({ entry, at: entry.at })),
    ...(newest.data === null ? [] : rows.filter(({ at }) => at >= oldestAt)),
  ].toSorted((a, b) => b.at - a.at);

  const loadOlder = useMutation({
    mutationFn: (before: string) => call(activityCalls.getActivity, { username, before }),
    onSuccess: (page) => setOlder({ entries: [...entries, ...page.entries], next: page.next }),
  });

  return { newest, items, next, loadOlder };
}
