import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toldBy } from "../../api/client.ts";
import { pushQuery, switchAlerts, unsubscribe } from "../../api/push.ts";
import { switchNotifications, useNotificationState } from "../../offline/notifications.ts";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SwitchLine } from "./switch-line.tsx";
import { tellState } from "./told-state.ts";

/** What this device tells while other things are in front, in words, and the switches for it. */
export function NotificationsPanel({ username }: { readonly username: string }) {
  const queryClient = useQueryClient();
  const state = useNotificationState();
  const on = state === "on";
  const { queryKey } = pushQuery(username);
  const push = useQuery({ ...pushQuery(username), enabled: on });
  const reach = push.isError ? null : push.data;
  const deployments = useMutation({
    mutationFn: async (wanted: boolean) => {
      await switchNotifications(wanted);
      if (wanted) return;
      queryClient.removeQueries({ queryKey, exact: true });
      await unsubscribe(username);
    },
  });
  const sessions = useMutation({
    mutationFn: (alerts: boolean) => switchAlerts(username, alerts),
    onSuccess: (now) => queryClient.setQueryData(queryKey, now),
  });
  const impossible = state === "unsupported" || state === "home screen" || state === "blocked";
  return (
    <Panel title="Notifications">
      <chakra.div display="grid" gap="4">
        <p role="status">{tellState(state, reach)}</p>
        <SwitchLine
          label="Deployments"
          note="Tell me on this device when one of mine has ended."
          on={on}
          disabled={impossible || deployments.isPending}
          onChange={(wanted) => deployments.mutate(wanted)}
        />
        <SwitchLine
          label="Sessions"
          note="Tell me as well when a BGP session goes down, and when it is back."
          on={on && reach?.alerts === true}
          disabled={!on || reach?.reach !== "reached" || sessions.isPending}
          onChange={(alerts) => sessions.mutate(alerts)}
        />
        {sessions.isError && (
          <Notice tone="error">This could not be changed. {toldBy(sessions.error)}</Notice>
        )}
      </chakra.div>
    </Panel>
  );
}
