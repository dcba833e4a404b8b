import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { PeerStatus } from "../../../contract/entities.ts";
import { toldBy } from "../../api/client.ts";
import { nodeConfigQuery, peerConfigQuery } from "../../api/peer-config.ts";
import { useKnownAt } from "../../offline/known-at.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LastKnown } from "../../ui/last-known.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CurrentConfiguration } from "./current-configuration.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { DeploymentLink } from "./deployment-link.tsx";

export interface EditTabProps {
  readonly username: string;
  readonly node: string;
  readonly deployment: PeerStatus["deployment"];
}

export function EditTab({ username, node, deployment }: EditTabProps) {
  const [deleting, setDeleting] = useState(false);
  const peerQuery = peerConfigQuery(username, node);
  const providerQuery = nodeConfigQuery(username, node);
  const [peer, provider] = useQueries({ queries: [peerQuery, providerQuery] });
  const knownAt = useKnownAt(peerQuery.queryKey, providerQuery.queryKey);
  const error = peer.error ?? provider.error;
  return (
    <chakra.div display="grid" gap="5" gridTemplateColumns="minmax(0, 1fr)">
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="3">
        <chakra.div display="flex" flexWrap="wrap" alignItems="baseline" columnGap="3">
          <chakra.h3 fontSize="lg" fontWeight="semibold">
            Current configuration
          </chakra.h3>
          <LastKnown at={knownAt} />
        </chakra.div>
        {deployment === null ? (
          <chakra.div display="flex" flexWrap="wrap" gap="2">
            <ButtonLink to="/manager/updatepeer/$type" params={{ type: "edit" }} search={{ node }}>
              Change your details
            </ButtonLink>
            <Button tone="danger" onClick={() => setDeleting(true)}>
              Delete peering
            </Button>
          </chakra.div>
        ) : (
          <DeploymentLink node={node} deployment={deployment} />
        )}
      </chakra.div>
      {error && (
        <Notice
          onRetry={() => void Promise.all([peer.refetch(), provider.refetch()])}
          retrying={peer.isFetching || provider.isFetching}
        >
          The configuration could not be loaded. {toldBy(error)}
        </Notice>
      )}
      {!error && (peer.isPending || provider.isPending) && <Loader label="Loading the configuration…" />}
      {peer.data && provider.data && (
        <CurrentConfiguration node={node} peer={peer.data} provider={provider.data} />
      )}
      <DeleteDialog username={username} node={node} open={deleting} onClose={() => setDeleting(false)} />
    </chakra.div>
  );
}
