import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries } from "@tanstack/react-query";
import type { FormType } from "#contract/app/screens.ts";
import type { Task } from "#contract/lenient.ts";
import { type PeeringSides, providerEndpoint } from "#domain/peering/participant-config.ts";
import { errorMessage } from "#web/api/client.ts";
import { useProvider } from "#web/api/provider.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button, ButtonLink } from "#web/ui/forms/button.tsx";
import { Page } from "#web/ui/layout/page.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { contactLink, overviewLink } from "../screen-links.ts";
import { nodeConfigQuery, peerConfigQuery } from "../queries.ts";
import { PeeringLadder } from "../peering-ladder.tsx";
import { RouterConfigPanel } from "../router-config-panel.tsx";
import { ValueOrPlaceholder } from "#web/ui/text/copy-text.tsx";
import { DeletionFailure } from "../deletion/deletion-failure.tsx";
import { AlsoPeerWith } from "../wizard/node-choice/also-peer-with.tsx";
import { TaskDetails } from "./task-details.tsx";

export interface DeploymentSuccessProps {
  readonly type: FormType;
  readonly username: string;
  readonly node: string;
}

/** Fetches the configuration again: what was read before the deployment is stale. */
export function DeploymentSuccess({ type, username, node }: DeploymentSuccessProps) {
  const refetched = { staleTime: 0, refetchOnMount: "always" } as const;
  const [peer, provider] = useQueries({
    queries: [
      { ...peerConfigQuery(username, node), ...refetched },
      { ...nodeConfigQuery(username, node), ...refetched },
    ],
  });
  const error = peer.error ?? provider.error;
  const loaded = peer.isFetchedAfterMount && provider.isFetchedAfterMount;
  return (
    <Page
      title="Success!"
      lead="Now your side: copy the configuration to your router, and watch the list turn green."
      actions={
        <ButtonLink {...overviewLink(node)} tone="primary">
          View peering
        </ButtonLink>
      }
    >
      {error && (
        <Notice
          onRetry={() => void Promise.all([peer.refetch(), provider.refetch()])}
          isRetrying={peer.isFetching || provider.isFetching}
        >
          The peering is deployed, but its config could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {!error && !loaded && <Loader label="Loading the config…" />}
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "minmax(0, 1fr) minmax(0, 24rem)" }}
        gap="4"
        alignItems="start"
      >
        <chakra.div order={{ xl: "1" }}>
          <PeeringLadder username={username} node={node} />
        </chakra.div>
        {!error && loaded && peer.data && provider.data && (
          <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
            <ConfigForYourSide username={username} node={node} peer={peer.data} provider={provider.data} />
          </chakra.div>
        )}
      </chakra.div>
      {type === "new" && (error !== null || loaded) && <AlsoPeerWith username={username} deployed={node} />}
    </Page>
  );
}

function ConfigForYourSide({ username, ...sides }: PeeringSides & { readonly username: string }) {
  const { peer, provider } = sides;
  return (
    <>
      <Panel title="Here is the config for your side:">
        <KeyValueList
          items={[
            {
              label: "IP/port",
              value: <ValueOrPlaceholder value={providerEndpoint(provider, peer)} label="IP and port" />,
            },
            {
              label: "Tunnel IPv4",
              value: <ValueOrPlaceholder value={provider.local_ipv4} label="tunnel IPv4" />,
            },
            {
              label: "Tunnel IPv6",
              value: <ValueOrPlaceholder value={provider.local_ipv6} label="tunnel IPv6" />,
            },
            {
              label: "Public key",
              value: <ValueOrPlaceholder value={provider.public_key} label="public key" />,
            },
            { label: "ASN", value: <ValueOrPlaceholder value={peer.local_asn} label="ASN" /> },
          ]}
        />
      </Panel>
      <chakra.p color="fg.muted">This config stays available later under Edit Config.</chakra.p>
      <RouterConfigPanel username={username} {...sides} />
    </>
  );
}

export interface DeploymentFailureProps {
  /** "unknown" if the server created no task. */
  readonly taskID: string;
  readonly task: Task | undefined;
  /** Why the deployment failed, for the participant. */
  readonly reason: string;
  /** Goes back to the filled form; undefined if there is no draft of it. */
  readonly onReview: (() => void) | undefined;
}

export function DeploymentFailure({ taskID, task, reason, onReview }: DeploymentFailureProps) {
  const { name } = useProvider();
  return (
    <Page narrow title="Failed">
      {reason !== "" && (
        <Notice tone="error">
          {reason}
          {onReview && " Everything you entered is kept."}
        </Notice>
      )}
      <Panel>
        <chakra.div display="grid" gap="4">
          <TaskDetails taskID={taskID} task={task} />
          <PossibleCauses />
          <p>
            Please <TextLink {...contactLink(taskID)}>contact {name} support</TextLink> for further
            assistance.
          </p>
        </chakra.div>
      </Panel>
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <ButtonLink to="/">Back to home</ButtonLink>
        {onReview && (
          <Button tone="primary" onClick={onReview}>
            Review and redeploy
          </Button>
        )}
      </chakra.div>
    </Page>
  );
}

function PossibleCauses() {
  return (
    <div>
      <chakra.h3 fontWeight="medium">Possible causes</chakra.h3>
      <chakra.ul mt="1" ps="5" listStyleType="disc" display="grid" gap="1">
        <li>
          The node might be offline or having issues (check the <TextLink to="/status">status page</TextLink>
          ).
        </li>
        <li>There is an issue with the configuration being deployed (review and redeploy).</li>
        <li>The hostname does not resolve to an IP address.</li>
      </chakra.ul>
    </div>
  );
}

export interface DeletionResultProps {
  readonly succeeded: boolean;
  readonly taskID: string;
  readonly task: Task | undefined;
  /** Why the deletion failed; "" after a success. */
  readonly reason: string;
}

export function DeletionResult({ succeeded, taskID, task, reason }: DeletionResultProps) {
  return (
    <Page narrow title={succeeded ? "Success!" : "Failed"}>
      {succeeded && <Notice tone="success">You have successfully deleted the peering on this node.</Notice>}
      <Panel>
        <chakra.div display="grid" gap="4">
          {succeeded ? (
            <TaskDetails taskID={taskID} task={task} />
          ) : (
            <DeletionFailure taskID={taskID} task={task} reason={reason} />
          )}
        </chakra.div>
      </Panel>
      <div>
        <ButtonLink to="/" tone="primary">
          Close
        </ButtonLink>
      </div>
    </Page>
  );
}
