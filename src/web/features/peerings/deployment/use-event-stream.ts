import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { deploymentTypeOf } from "#contract/app/screens.ts";
import { subscribeToEvents } from "#web/api/event-stream.ts";
import { refreshPeerings } from "#web/api/peering-queries.ts";
import type { TabRole } from "#web/browser/leader-tab.ts";
import { broadcast, onBroadcast } from "#web/browser/tabs.ts";
import { watchRemoteTask } from "#web/browser/watched-tasks.ts";
import { cachePeerStatus, setEventStreamConnected } from "../peer-status-query.ts";
import { cacheTask, taskOutcome } from "./task-queries.ts";

/**
 * Subscribes the leader tab to the event stream and caches its events. The other tabs receive them by broadcast. The leader
 * keeps the stream while it is hidden: it is the only one of this browser.
 *
 * @param onDisconnect is called when the stream is lost or rejected: the server may be unreachable, or the login
 * session over.
 */
export function useEventStream(username: string, role: TabRole, onDisconnect: () => void): void {
  const isLeader = role !== "follower";
  const pausesWhenHidden = role === "unopposed";
  const queryClient = useQueryClient();
  const reportDisconnect = useEffectEvent(onDisconnect);
  useEffect(() => {
    if (isLeader) return;
    return onBroadcast((message) => {
      if (message.type === "event-stream" && message.username === username)
        setEventStreamConnected(queryClient, message.isConnected);
    });
  }, [queryClient, username, isLeader]);
  useEffect(() => {
    if (!isLeader) return;
    const setConnected = (isConnected: boolean) => {
      setEventStreamConnected(queryClient, isConnected);
      broadcast({ type: "event-stream", username, isConnected });
    };
    // The leader tab before this one may have closed without a message.
    setConnected(false);
    const unsubscribe = subscribeToEvents(
      { username, pausesWhenHidden },
      {
        onConnect: () => setConnected(true),
        onTask: (task) => {
          const { taskID, node, kind, status } = task;
          cacheTask(queryClient, username, task);
          broadcast({ type: "task", username, task });
          const type = deploymentTypeOf(kind);
          if (taskOutcome(type, status) !== null) return;
          watchRemoteTask(queryClient, { username, taskID, node, type });
        },
        onPeering: (event) => {
          cachePeerStatus(queryClient, username, event);
          broadcast({ type: "peering", username, ...event });
        },
        onResync: () => void refreshPeerings(queryClient, username),
        onDisconnect: () => {
          setConnected(false);
          reportDisconnect();
        },
        onPause: () => setConnected(false),
      },
    );
    return () => {
      unsubscribe();
      setConnected(false);
    };
  }, [queryClient, username, isLeader, pausesWhenHidden]);
}
