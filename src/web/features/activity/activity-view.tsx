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
import { ActivityRow } from "./activity-row.tsx";
import { activityQuery } from "../../api/activity-query.ts";
import { groupByDay } from "./days.ts";
import { EndLoginSessions } from "./end-login-sessions.tsx";
import { useActivity } from "./use-activity.ts";
import { chakra } from "@chakra-ui/react/styled-system";

export interface ActivityViewProps {
  readonly username: string;
}

/** What happened to the account and the peerings of an AS, by day. */
export function ActivityView({ username }: ActivityViewProps) {
  const { newest, entries, next, loadOlder } = useActivity(username);
  const fetchedAt = useFetchedAt(activityQuery(username).queryKey);
  const [suspected, setSuspected] = useState<ActivityEntry | null>(null);
  return (
    <Page
      title="Activity"
      lead="Logins, changes of your peerings and deployments, the newest first."
      actions={<CachedAge fetchedAt={fetchedAt} />}
    >
      {newest.isPending && <Loader label="Loading activity…" />}
      {newest.isError && (
        <Notice onRetry={() => void newest.refetch()} isRetrying={newest.isFetching}>
          {entries.length > 0 ? "The latest activity" : "Your activity"} could not be loaded.{" "}
          {errorMessage(newest.error)}
        </Notice>
      )}
      {newest.data === null && <p>This server does not record activity.</p>}
      {newest.data && entries.length === 0 && (
        <p>There is no activity yet. Logins and changes of your peerings will be listed here.</p>
      )}
      {groupByDay(entries).map((day) => (
        <Panel key={day.name} title={day.name} flush>
          <ul>
            {day.entries.map((entry) => (
              <ActivityRow key={entry.id} entry={entry} onSuspect={setSuspected} />
            ))}
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
