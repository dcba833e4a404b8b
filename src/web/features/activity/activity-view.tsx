import { useState } from "react";
import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { errorMessage } from "../../api/client.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { Loader } from "../../ui/feedback/loading.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { CachedAge } from "../../ui/text/age.tsx";
import { ActivityRow, RowFrame } from "./activity-row.tsx";
import { activityQuery } from "../../api/activity-query.ts";
import { groupByDay } from "./days.ts";
import { EndLoginSessions } from "./end-login-sessions.tsx";
import { sessionChangesQuery } from "./session-changes-query.ts";
import { useActivity } from "./use-activity.ts";
import { chakra } from "@chakra-ui/react/styled-system";

export interface ActivityViewProps {
  readonly username: string;
}

/** What happened to the account and the peerings of an AS, by day. */
export function ActivityView({ username }: ActivityViewProps) {
  const { newest, items, next, loadOlder } = useActivity(username);
  const fetchedAt = useFetchedAt(activityQuery(username).queryKey, sessionChangesQuery(username).queryKey);
  const [suspected, setSuspected] = useState<ActivityEntry | null>(null);
  return (
    <Page
      title="Activity"
      lead="Logins, changes of your peerings and of their sessions, the newest first."
      actions={<CachedAge fetchedAt={fetchedAt} />}
    >
      {newest.isPending && <Loader label="Loading activity…" />}
      {newest.isError && (
        <Notice onRetry={() => void newest.refetch()} isRetrying={newest.isFetching}>
          {items.length > 0 ? "The latest activity" : "Your activity"} could not be loaded.{" "}
          {errorMessage(newest.error)}
        </Notice>
      )}
      {newest.data === null && <p>This server does not record activity.</p>}
      {newest.data && items.length === 0 && (
        <p>There is no activity yet. Logins and changes of your peerings will be listed here.</p>
      )}
      {groupByDay(items).map((day) => (
        <Panel key={day.name} title={day.name} flush>
          <ul>
            {day.rows.map((row) =>
              "entry" in row ? (
                <ActivityRow key={row.entry.id} entry={row.entry} onSuspect={setSuspected} />
              ) : (
                <RowFrame key={row.id} at={row.at}>
                  <p>{row.text}</p>
                </RowFrame>
              ),
            )}
          </ul>
        </Panel>
      ))}
      {loadOlder.isError && (
        <Notice tone="error">Older activity could not be loaded. {errorMessage(loadOlder.error)}</Notice>
      )}
      {next !== null && (
        <chakra.div>
          <Button onClick={() => loadOlder.mutate(next)} isPending={loadOlder.isPending}>
            Show older activity
          </Button>
        </chakra.div>
      )}
      <EndLoginSessions username={username} suspected={suspected} onClose={() => setSuspected(null)} />
    </Page>
  );
}
