import { chakra } from "@chakra-ui/react/styled-system";
import { useNavigate } from "@tanstack/react-router";
import { toldBy } from "../../api/client.ts";
import { useDeletePeering } from "../../api/delete-peering.ts";
import { useProvider } from "../../api/provider.ts";
import { useNotificationState } from "../../offline/notifications.ts";
import { useServerReached } from "../../offline/reach.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { PermissionHint } from "../../ui/permission-hint.tsx";
import type { RenderStarting } from "./peering-wizard.tsx";

export interface DeletePeeringProps {
  readonly username: string;
  readonly node: string;
  readonly renderStarting: RenderStarting;
}

/** The wizard's delete step. */
export function DeletePeering({ username, node, renderStarting }: DeletePeeringProps) {
  const { domain } = useProvider();
  const navigate = useNavigate();
  const serverReached = useServerReached();
  const notifications = useNotificationState();
  const deletion = useDeletePeering(username, node, ({ taskID }) => {
    void navigate({
      to: "/manager/updatepeer/$type",
      params: { type: "delete" },
      search: { node, step: "awaitingDeployment", task: taskID },
      replace: true,
    });
  });
  if (deletion.isPending || deletion.isSuccess) return renderStarting(null);
  if (deletion.isError) return renderStarting(toldBy(deletion.error));
  return (
    <Page narrow title={`Delete the peering on ${node}.${domain}`}>
      <Panel>
        <p>Are you sure you want to delete the peering?</p>
        <chakra.p mt="1" color="fg.muted">
          The tunnel and its BGP sessions are removed from the node.
        </chakra.p>
      </Panel>
      <PermissionHint shown={notifications === "unasked"} button="Yes" />
      {!serverReached && (
        <Notice tone="warning">
          Deleting needs the server, which cannot be reached right now. Nothing is deleted later by itself.
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
