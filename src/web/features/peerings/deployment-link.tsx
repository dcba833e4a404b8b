import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "#contract/lenient.ts";
import { deploymentTypeOf } from "#contract/app/screens.ts";
import { useNodeHost } from "../../api/provider.ts";
import { Spinner } from "../../ui/feedback/loading.tsx";
import { TextLink } from "../../ui/text/link.tsx";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import { deploymentLink } from "./screen-links.ts";

export interface DeploymentLinkProps {
  readonly node: string;
  readonly deployment: NonNullable<PeerStatus["deployment"]>;
}

/** A link to the screen of a peering's unfinished deployment. */
export function DeploymentLink({ node, deployment: { kind, taskID } }: DeploymentLinkProps) {
  const hostOf = useNodeHost();
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="2" color="accent">
      <Spinner />
      <TextLink {...deploymentLink(deploymentTypeOf(kind), node, taskID)}>
        {kind === "delete" ? "Deleting…" : "Deploying…"}
        <VisuallyHidden>{` ${hostOf(node)}`}</VisuallyHidden>
      </TextLink>
    </chakra.span>
  );
}
