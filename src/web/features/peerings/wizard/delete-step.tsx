import { chakra } from "@chakra-ui/react/styled-system";
import { useNavigate } from "@tanstack/react-router";
import { errorMessage } from "../../../api/client.ts";
import { useProvider } from "../../../api/provider.ts";
import { useIsServerReachable } from "../../../browser/connectivity.ts";
import { useNotificationState } from "../../../browser/notification-permission.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SubmittedDeployment } from "../deployment/deployment-screen.tsx";
import { PermissionHint } from "../deployment/permission-hint.tsx";
import { useDeletePeering } from "../deployment/use-delete-peering.ts";
import { deploymentLink } from "../screen-links.ts";

export interface DeleteStepProps {
  readonly username: string;
  readonly node: string;
}

/** The wizard's delete step. */
export function DeleteStep({ username, node }: DeleteStepProps) {
  const { domain } = useProvider();
  const navigate = useNavigate();
  const isServerReachable = useIsServerReachable();
  const notifications = useNotificationState();
  const deletion = useDeletePeering(username, node, ({ taskID }) => {
    void navigate({ ...deploymentLink("delete", node, taskID), replace: true });
  });
  if (!deletion.isIdle) {
    const failure = deletion.isError ? errorMessage(deletion.error) : null;
    return <SubmittedDeployment type="delete" node={node} failure={failure} />;
  }
  return (
    <Page narrow title={`Delete the peering on ${node}.${domain}`}>
      <Panel>
        <p>Are you sure you want to delete the peering?</p>
        <chakra.p mt="1" color="fg.muted">
          This removes the tunnel and its BGP sessions from the node.
        </chakra.p>
      </Panel>
      <PermissionHint shown={notifications === "unasked"} button="Yes" />
      {!isServerReachable && (
        <Notice tone="warning">
          The server cannot be reached, so the peering cannot be deleted right now. Try again when you are
          back online.
        </Notice>
      )}
      <chakra.div display="flex" gap="2">
        <ButtonLink to="/manager">No</ButtonLink>
        <Button tone="danger" onClick={() => deletion.mutate()}>
          Yes
        </Button>
      </chakra.div>
    </Page>
  );
}
