import { chakra } from "@chakra-ui/react/styled-system";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { errorMessage } from "../../api/client.ts";
import { pushQuery, setAlerts, unsubscribeFromPush, type PushState } from "../../api/push.ts";
import {
  setNotifications,
  useNotificationState,
  type NotificationState,
} from "../../browser/notification-permission.ts";
import { isPushSupported } from "../../browser/push-subscription.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/layout/panel.tsx";

/** The notification settings of this device, and whether they work. */
export function NotificationsPanel({ username }: { readonly username: string }) {
  const queryClient = useQueryClient();
  const state = useNotificationState();
  const on = state === "on";
  const { queryKey } = pushQuery(username);
  const push = useQuery({ ...pushQuery(username), enabled: on });
  const pushState = push.isError ? null : push.data;
  const deployments = useMutation({
    mutationFn: async (wanted: boolean) => {
      await setNotifications(wanted);
      if (wanted) return;
      queryClient.removeQueries({ queryKey, exact: true });
      await unsubscribeFromPush(queryClient, username);
    },
  });
  const sessions = useMutation({
    mutationFn: (alerts: boolean) => setAlerts(queryClient, username, alerts),
    onSuccess: (now) => queryClient.setQueryData(queryKey, now),
  });
  const isUnavailable = state === "unsupported" || state === "home screen" || state === "blocked";
  const hasPush = isPushSupported() && pushState?.status !== "unsupported";
  return (
    <Panel title="Notifications">
      <chakra.div display="grid" gap="4">
        <p role="status">{statusText(state, pushState)}</p>
        <SettingSwitch
          label="Deployments"
          description={`Notify me on this device when a deployment finishes${hasPush ? ", or when a node's public key changes" : ""}.`}
          on={on}
          disabled={isUnavailable || deployments.isPending}
          onChange={(wanted) => deployments.mutate(wanted)}
        />
        {hasPush && (
          <SettingSwitch
            label="Sessions"
            description="Also notify me when a BGP session goes down or comes back up."
            on={on && pushState?.alerts === true}
            disabled={!on || pushState?.status !== "subscribed" || sessions.isPending}
            onChange={(alerts) => sessions.mutate(alerts)}
          />
        )}
        {sessions.isError && (
          <Notice tone="error">The setting was not changed. {errorMessage(sessions.error)}</Notice>
        )}
      </chakra.div>
    </Panel>
  );
}

export interface SettingSwitchProps {
  readonly label: string;
  /** One sentence. */
  readonly description: string;
  readonly on: boolean;
  readonly disabled: boolean;
  readonly onChange: (on: boolean) => void;
}

export function SettingSwitch({ label, description, on, disabled, onChange }: SettingSwitchProps) {
  const id = useId();
  return (
    <chakra.div display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="3" alignItems="start">
      <chakra.input
        id={id}
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        disabled={disabled}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.checked)}
        boxSize="4"
        mt="0.5"
        accentColor="accent"
      />
      <div>
        <chakra.label htmlFor={id} fontWeight="medium" color={disabled ? "fg.muted" : "fg"}>
          {label}
        </chakra.label>
        <chakra.p id={`${id}-note`} fontSize="sm" color="fg.muted">
          {description}
        </chakra.p>
      </div>
    </chakra.div>
  );
}

const stateTexts: Readonly<Record<Exclude<NotificationState, "on">, string>> = {
  unsupported: "This browser does not support notifications. Deployments that finish are shown in the app.",
  "home screen":
    "On iPhone and iPad, only apps on the home screen can notify you. Open the browser's Share menu, choose “Add to Home Screen”, and open the app from there.",
  blocked:
    "Blocked by the browser. To allow them, open the browser's settings for this site (the icon left of the address) and allow notifications.",
  off: "Off on this device.",
  unasked: "Off on this device. Your browser asks for permission when you turn them on.",
};

const pushTexts: Readonly<Record<PushState["status"], string>> = {
  subscribed: "On, even when the app is closed.",
  "not in browser":
    "On while the app is open. This browser has no push, so you are not notified when the app is closed.",
  "no push service":
    "On while the app is open. This browser's push service is unreachable, so you are not notified when the app is closed.",
  refused:
    "On while the app is open. The server refused this browser's push subscription, and a new one too, so session alerts are off. Use another browser to be notified when the app is closed, or write to support.",
  unsupported: "On while the app is open.",
};

/** @param pushState undefined while it is being requested, null if the request failed. */
export function statusText(state: NotificationState, pushState: PushState | null | undefined): string {
  if (state !== "on") return stateTexts[state];
  if (pushState === undefined) return "On. Checking whether we can notify you when the app is closed…";
  if (pushState === null)
    return "On while the app is open. The server is unreachable, so push could not be set up.";
  return pushTexts[pushState.status];
}
