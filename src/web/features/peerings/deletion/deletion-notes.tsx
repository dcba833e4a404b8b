import { chakra } from "@chakra-ui/react/styled-system";
import { useNodeHost, useProvider } from "#web/api/provider.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { useNotificationState } from "#web/browser/notification-permission.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { PermissionHint } from "../deployment/permission-hint.tsx";

/** What a deletion does, below the question that Yes and No answer. */
export function DeletionNotes({ node }: { readonly node: string }) {
  const host = useNodeHost()(node);
  const { nodes } = useProvider();
  // A server without a profile names no nodes.
  const isRemoved = nodes.length > 0 && !nodes.some(({ name }) => name === node);
  const isServerReachable = useIsServerReachable();
  const notifications = useNotificationState();
  return (
    <>
      <chakra.p color="fg.muted">
        {isRemoved
          ? `This removes the peering from your list. ${host} is out of service and is not called.`
          : `This removes the tunnel and its BGP sessions from ${host}.`}{" "}
        The configuration of your router does not change.
      </chakra.p>
      <PermissionHint shown={notifications === "unasked"} button="Yes" />
      {!isServerReachable && (
        <Notice tone="warning">
          The server cannot be reached, so the peering cannot be deleted right now. Try again when you are
          back online.
        </Notice>
      )}
    </>
  );
}
