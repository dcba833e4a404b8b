import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "../../../contract/entities.ts";
import { TextLink } from "../../ui/link.tsx";
import { Spinner } from "../../ui/loader.tsx";

export interface DeploymentLinkProps {
  readonly node: string;
  readonly deployment: NonNullable<PeerStatus["deployment"]>;
}

/** The unfinished deployment of a peering; leads to its screen. */
export function DeploymentLink({ node, deployment }: DeploymentLinkProps) {
  const deleting = deployment.kind === "delete";
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="2" color="accent">
      <Spinner />
      <TextLink
        to="/manager/updatepeer/$type"
        params={{ type: deleting ? "delete" : "edit" }}
        search={{ node, step: "awaitingDeployment", task: deployment.taskID }}
      >
        {deleting ? "Deleting…" : "Deploying…"}
      </TextLink>
    </chakra.span>
  );
}
