import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { NodeConfig, PeerConfig, PeerStatus } from "#contract/lenient.ts";
import { type PeeringSides, providerEndpoint } from "#domain/peering/participant-config.ts";
import { type ShownValue } from "#domain/peering/fields/field-row.ts";
import { listShownValues } from "#domain/peering/fields/shown-values.ts";
import { formatTime } from "#domain/text/time.ts";
import { errorMessage } from "#web/api/client.ts";
import { useFetchedAt } from "#web/api/fetched-at.ts";
import { useProvider } from "#web/api/provider.ts";
import { useIsServerReachable } from "#web/browser/connectivity.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button, ButtonLink } from "#web/ui/forms/button.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { CachedAge } from "#web/ui/text/age.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";
import { wizardLink } from "../screen-links.ts";
import { nodeConfigQuery, peerConfigQuery } from "../queries.ts";
import { RouterConfigPanel } from "../router-config-panel.tsx";
import { ValueOrPlaceholder } from "#web/ui/text/copy-text.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";

export interface EditTabProps {
  readonly username: string;
  readonly node: string;
  readonly deployment: PeerStatus["deployment"];
  /** Whether the provider has taken the node out of service. */
  readonly isOutOfService: boolean;
}

export function EditTab({ username, node, deployment, isOutOfService }: EditTabProps) {
  const [isDeleteDialogOpen, setIsDeleteDialogOpen] = useState(false);
  const peerQuery = peerConfigQuery(username, node);
  const nodeQuery = nodeConfigQuery(username, node);
  const [peer, provider] = useQueries({ queries: [peerQuery, nodeQuery] });
  const fetchedAt = useFetchedAt(peerQuery.queryKey, nodeQuery.queryKey);
  const error = peer.error ?? provider.error;
  return (
    <chakra.div display="grid" gap="5" gridTemplateColumns="minmax(0, 1fr)">
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="3">
        <chakra.div display="flex" flexWrap="wrap" alignItems="baseline" columnGap="3">
          <chakra.h3 fontSize="lg" fontWeight="semibold">
            Current configuration
          </chakra.h3>
          <CachedAge fetchedAt={fetchedAt} />
        </chakra.div>
        <EditActions
          node={node}
          deployment={deployment}
          isOutOfService={isOutOfService}
          onDelete={() => setIsDeleteDialogOpen(true)}
        />
      </chakra.div>
      {error && (
        <Notice
          onRetry={() => void Promise.all([peer.refetch(), provider.refetch()])}
          isRetrying={peer.isFetching || provider.isFetching}
        >
          The configuration could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {!error && (peer.isPending || provider.isPending) && <Loader label="Loading the configuration…" />}
      {peer.data && provider.data && (
        <CurrentConfiguration username={username} node={node} peer={peer.data} provider={provider.data} />
      )}
      <DeleteDialog
        username={username}
        node={node}
        open={isDeleteDialogOpen}
        onClose={() => setIsDeleteDialogOpen(false)}
      />
    </chakra.div>
  );
}

interface EditActionsProps extends Pick<EditTabProps, "node" | "deployment" | "isOutOfService"> {
  readonly onDelete: () => void;
}

const deploymentReasons = {
  deploy: "A deployment is running. Change or delete the peering when it has finished.",
  delete: "The peering is being deleted, so it cannot be changed.",
} as const;
const outOfServiceReason =
  "The provider has taken this node out of service, so the peering can be deleted, but not changed.";

/** A button that cannot be used stays focusable, so that keyboards and screen readers reach the reason. */
function EditActions({ node, deployment, isOutOfService, onDelete }: EditActionsProps) {
  const isServerReachable = useIsServerReachable();
  const running = deployment === null ? null : deploymentReasons[deployment.kind];
  const changeReason = running ?? (isOutOfService ? outOfServiceReason : null);
  const deletionReason =
    running ??
    (isServerReachable ? null : "The server cannot be reached right now, so the peering cannot be deleted.");
  const reason = deletionReason ?? changeReason;
  const reasonId = useId();
  const unavailable = { "aria-disabled": true, "aria-describedby": reasonId } as const;
  return (
    <chakra.div display="grid" gap="2" justifyItems={{ base: "start", md: "end" }}>
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        {changeReason !== null ? (
          <Button {...unavailable}>Change your details</Button>
        ) : (
          <ButtonLink {...wizardLink("edit", node)}>Change your details</ButtonLink>
        )}
        <Button tone="danger" {...(deletionReason !== null ? unavailable : { onClick: onDelete })}>
          Delete peering
        </Button>
      </chakra.div>
      {reason !== null && (
        <chakra.p id={reasonId} fontSize="sm" color="fg.muted">
          {reason}
        </chakra.p>
      )}
    </chakra.div>
  );
}

function CurrentConfiguration({ username, ...sides }: PeeringSides & { readonly username: string }) {
  const { name } = useProvider();
  const { peer, provider } = sides;
  return (
    <>
      <chakra.div
        display="grid"
        gap="4"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }}
      >
        <Panel title={`${name}'s side`}>
          <KeyValueList narrow items={providerSide(peer, provider)} />
        </Panel>
        <Panel title="Your side">
          <KeyValueList narrow items={userSide(peer, "your side")} />
          <chakra.h4 mt="4" mb="1" fontWeight="semibold">
            BGP settings
          </chakra.h4>
          <KeyValueList
            narrow
            items={[
              { label: "ASN", value: <ValueOrPlaceholder value={peer.peer_asn} label="your ASN" /> },
              ...userSide(peer, "BGP settings"),
            ]}
          />
        </Panel>
      </chakra.div>
      <RouterConfigPanel username={username} {...sides} />
    </>
  );
}

function providerSide(peer: PeerConfig, provider: NodeConfig) {
  return [
    {
      label: "IP/port",
      value: <ValueOrPlaceholder value={providerEndpoint(provider, peer)} label="our IP and port" />,
    },
    { label: "IPv4", value: <ValueOrPlaceholder value={provider.local_ipv4} label="our IPv4 address" /> },
    { label: "IPv6", value: <ValueOrPlaceholder value={provider.local_ipv6} label="our IPv6 address" /> },
    { label: "Public key", value: <ValueOrPlaceholder value={provider.public_key} label="our public key" /> },
    ...nextKeyRow(provider),
    { label: "ASN", value: <ValueOrPlaceholder value={peer.local_asn} label="our ASN" /> },
  ];
}

/** The node's new public key, until the tunnel has it. Cached, it is true after the date too. */
function nextKeyRow({ next_public_key: nextKey, switch_at: switchAt }: NodeConfig) {
  if (nextKey === undefined) return [];
  return [
    {
      label: "Next public key",
      value: (
        <>
          <ValueOrPlaceholder value={nextKey} label="our next public key" />
          {switchAt !== undefined && (
            <chakra.span display="block" fontSize="sm" color="fg.muted">
              From {formatTime(switchAt)}, or when you switch
            </chakra.span>
          )}
        </>
      ),
    },
  ];
}

function userSide(peer: PeerConfig, list: ShownValue["list"]) {
  return listShownValues(list, peer).map(({ label, value, copied }) => ({
    label,
    value: copied === null ? value(peer) : <ValueOrPlaceholder value={value(peer)} label={copied} />,
  }));
}
