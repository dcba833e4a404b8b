import { chakra } from "@chakra-ui/react/styled-system";
import { errorMessage } from "#web/api/client.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { useNotificationState } from "#web/browser/notification-permission.ts";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { Modal } from "#web/ui/layout/modal.tsx";
import { PermissionHint } from "../deployment/permission-hint.tsx";
import type { useSwitchNodeKey } from "./use-switch-node-key.ts";

export interface SwitchDialogProps {
  readonly switching: ReturnType<typeof useSwitchNodeKey>;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Says what the switch needs and what it does. A switch that the server rejects is explained in the dialog. */
export function SwitchDialog({ switching, open, onClose }: SwitchDialogProps) {
  const isServerReachable = useIsServerReachable();
  const notifications = useNotificationState();
  const close = () => {
    switching.reset();
    onClose();
  };
  return (
    <Modal
      title="Switch to the new public key"
      role="alertdialog"
      open={open}
      onClose={close}
      footer={
        <>
          <Button onClick={close} disabled={switching.isPending}>
            Cancel
          </Button>
          <Button
            tone="primary"
            onClick={() => switching.mutate()}
            disabled={!isServerReachable}
            isPending={switching.isPending}
          >
            Switch
          </Button>
        </>
      }
    >
      <chakra.div display="grid" gap="3">
        <p>
          Enter the new key on your router at the same time. Until both sides have it, the tunnel is down.
        </p>
        <chakra.p color="fg.muted">
          Only this tunnel changes. Without a handshake within five minutes, it goes back to the present key.
        </chakra.p>
        <PermissionHint shown={notifications === "unasked"} button="Switch" />
        {!isServerReachable && <Notice tone="warning">{unreachableReason}</Notice>}
        {switching.isError && <Notice tone="error">{errorMessage(switching.error)}</Notice>}
      </chakra.div>
    </Modal>
  );
}

export const unreachableReason =
  "The server cannot be reached right now, so the tunnel cannot be switched. It keeps the present key.";
