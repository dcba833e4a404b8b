import { chakra } from "@chakra-ui/react/styled-system";
import { useNavigate } from "@tanstack/react-router";
import { errorMessage } from "../../../api/client.ts";
import { useProvider } from "../../../api/provider.ts";
import { useNotificationState } from "../../../browser/notification-permission.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Modal } from "../../../ui/layout/modal.tsx";
import { PermissionHint } from "../deployment/permission-hint.tsx";
import { useDeletePeering } from "../deployment/use-delete-peering.ts";
import { deploymentLink } from "../screen-links.ts";

export interface DeleteDialogProps {
  readonly username: string;
  readonly node: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Yes starts the deletion and opens its progress. An error is shown in the dialog. */
export function DeleteDialog({ username, node, open, onClose }: DeleteDialogProps) {
  const { domain } = useProvider();
  const navigate = useNavigate();
  const notifications = useNotificationState();
  const deletion = useDeletePeering(username, node, ({ taskID }) => {
    void navigate(deploymentLink("delete", node, taskID));
  });
  const close = () => {
    deletion.reset();
    onClose();
  };
  return (
    <Modal
      title="Confirm peer deletion"
      role="alertdialog"
      open={open}
      onClose={close}
      footer={
        <>
          <Button onClick={close} disabled={deletion.isPending}>
            No
          </Button>
          <Button tone="danger" onClick={() => deletion.mutate()} isPending={deletion.isPending}>
            Yes
          </Button>
        </>
      }
    >
      <chakra.div display="grid" gap="3">
        <p>Are you sure you want to delete this peering?</p>
        <chakra.p color="fg.muted">
          This removes the tunnel and its BGP sessions from {`${node}.${domain}`}. The configuration of your
          router does not change.
        </chakra.p>
        <PermissionHint shown={notifications === "unasked"} button="Yes" />
        {deletion.isError && (
          <Notice tone="error">
            Failed to delete the peering. Please try again or contact support. {errorMessage(deletion.error)}
          </Notice>
        )}
      </chakra.div>
    </Modal>
  );
}
