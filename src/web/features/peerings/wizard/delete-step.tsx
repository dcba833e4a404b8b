import { chakra } from "@chakra-ui/react/styled-system";
import { useNavigate } from "@tanstack/react-router";
import { errorMessage } from "#web/api/client.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { Button, ButtonLink } from "#web/ui/forms/button.tsx";
import { Page } from "#web/ui/layout/page.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { DeletionNotes } from "../deletion/deletion-notes.tsx";
import { useDeletePeering } from "../deletion/use-delete-peering.ts";
import { SubmittedDeployment } from "../deployment/deployment-screen.tsx";
import { deploymentLink } from "../screen-links.ts";

export interface DeleteStepProps {
  readonly username: string;
  readonly node: string;
}

/** The wizard's delete step. */
export function DeleteStep({ username, node }: DeleteStepProps) {
  const hostOf = useNodeHost();
  const navigate = useNavigate();
  const deletion = useDeletePeering(username, node, ({ taskID }) => {
    void navigate({ ...deploymentLink("delete", node, taskID), replace: true });
  });
  if (!deletion.isIdle) {
    const failure = deletion.isError ? errorMessage(deletion.error) : null;
    return <SubmittedDeployment type="delete" node={node} failure={failure} />;
  }
  return (
    <Page narrow title={`Delete the peering on ${hostOf(node)}`}>
      <Panel>
        <chakra.div display="grid" gap="3">
          <p>Are you sure you want to delete the peering?</p>
          <DeletionNotes node={node} />
        </chakra.div>
      </Panel>
      <chakra.div display="flex" gap="2">
        <ButtonLink to="/manager">No</ButtonLink>
        <Button tone="danger" onClick={() => deletion.mutate()}>
          Yes
        </Button>
      </chakra.div>
    </Page>
  );
}
