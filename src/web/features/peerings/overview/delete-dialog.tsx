import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { CallError } from "#contract/client.ts";
import { errorMessage } from "#web/api/client.ts";
import { Button } from "#web/ui/forms/button.tsx";
import { Modal } from "#web/ui/layout/modal.tsx";
import { DeletionFailure } from "../deletion/deletion-failure.tsx";
import { DeletionNotes } from "../deletion/deletion-notes.tsx";
import { useDeletePeering } from "../deletion/use-delete-peering.ts";
import { deletionCheckQuery } from "../queries.ts";
import { deploymentLink, notFoundLink } from "../screen-links.ts";

export interface DeleteDialogProps {
  readonly username: string;
  readonly node: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/**
 * Checks when it opens whether there is a peering to delete; until then Yes is pending. Yes starts the deletion and
 * opens its progress. A rejected deletion is shown in the dialog.
 */
export function DeleteDialog({ username, node, open, onClose }: DeleteDialogProps) {
  const navigate = useNavigate();
  const check = useQuery({ ...deletionCheckQuery(username, node), enabled: open });
  const deletion = useDeletePeering(username, node, ({ taskID }) => {
    void navigate(deploymentLink("delete", node, taskID));
  });
  // After a 401 the app opens the login screen.
  const hasCheckFailed =
    open && check.isError && !(check.error instanceof CallError && check.error.status === 401);
  useEffect(() => {
    if (hasCheckFailed) void navigate(notFoundLink);
  }, [hasCheckFailed, navigate]);
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
          <Button
            tone="danger"
            onClick={() => deletion.mutate()}
            isPending={check.isFetching || !check.isSuccess || deletion.isPending}
          >
            Yes
          </Button>
        </>
      }
    >
      <chakra.div display="grid" gap="3">
        <p>Are you sure you want to delete this peering?</p>
        <DeletionNotes node={node} />
        {deletion.isError && (
          <DeletionFailure taskID="unknown" task={undefined} reason={errorMessage(deletion.error)} />
        )}
      </chakra.div>
    </Modal>
  );
}
