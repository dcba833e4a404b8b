import { useQuery } from "@tanstack/react-query";
import { pushQuery } from "../../api/push.ts";
import { useNotificationState } from "../../offline/notifications.ts";

/** Sees to it that the server can tell this device things, wherever it may show them. */
export function useKeepSubscribed(username: string): void {
  useQuery({ ...pushQuery(username), enabled: useNotificationState() === "on" });
}
