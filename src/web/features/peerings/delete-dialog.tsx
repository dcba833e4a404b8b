import { chakra } from "@chakra-ui/react/styled-system";
import { useNavigate } from "@tanstack/react-router";
import { toldBy } from "../../api/client.ts";
import { useDeletePeering } from "../../api/delete-peering.ts";
import { useProvider } from "../../api/provider.ts";
import { useNotificationState } from "../../offline/notifications.ts";
import { Button } from "../../ui/button.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PermissionHint } from "../../ui/permission-hint.tsx";

export interface DeleteDialogProps {
  readonly username: string;
  readonly node: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Yes starts the deletion at once and leads to its progress; a refusal is told here, where nothing is lost. */
export function DeleteDialog({ username, node, open, onClose }: DeleteDialogProps) {
  const { domain } = useProvider();
  const navigate = useNavigate();
  const notifications = useNotificationState();
  const deletion = useDeletePeering(username, node, ({ taskID }) => {
    void navigate({
      to: "/manager/updatepeer/$type",
      params: { type: "delete" },
      search: { node, step: "awaitingDeployment", task: taskID },
    });
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
          <Button tone="danger" onClick={() => deletion.mutate()} pending={deletion.isPending}>
            Yes
          </Button>
        </>
      }
    >
      <chakra.div display="grid" gap="3">
        <p>Are you sure you want to delete this peering?</p>
        <chakra.p color="fg.muted">
          The tunnel and its BGP sessions are removed from {`${node}.${domain}`}. What you have set up on your
          router stays as it is.
        </chakra.p>
        <PermissionHint shown={notifications === "unasked"} button="Yes" />
        {deletion.isError && (
          <Notice tone="error">
            Failed to delete the peering. Please try again or contact support. {toldBy(deletion.error)}
          </Notice>
        )}
      </chakra.div>
    </Modal>
  );
}
