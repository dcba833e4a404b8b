import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries } from "@tanstack/react-query";
import { type PeeringSides, providerEndpoint } from "../../../domain/participant-config.ts";
import { toldBy } from "../../api/client.ts";
import { nodeConfigQuery, peerConfigQuery } from "../../api/peer-config.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { PastePanel } from "../../ui/paste-panel.tsx";
import { Provided } from "../../ui/provided.tsx";

export interface DeploymentSuccessProps {
  readonly username: string;
  readonly node: string;
}

/** Loads the configuration anew, since what was read before the deployment is another. */
export function DeploymentSuccess({ username, node }: DeploymentSuccessProps) {
  const anew = { staleTime: 0, refetchOnMount: "always" } as const;
  const [peer, provider] = useQueries({
    queries: [
      { ...peerConfigQuery(username, node), ...anew },
      { ...nodeConfigQuery(username, node), ...anew },
    ],
  });
  const error = peer.error ?? provider.error;
  const loaded = peer.isFetchedAfterMount && provider.isFetchedAfterMount;
  return (
    <Page
      title="Success!"
      actions={
        <ButtonLink to="/manager" search={{ node }} tone="primary">
          View peering
        </ButtonLink>
      }
    >
      {error && (
        <Notice
          onRetry={() => void Promise.all([peer.refetch(), provider.refetch()])}
          retrying={peer.isFetching || provider.isFetching}
        >
          The peering is deployed, but its config could not be loaded. {toldBy(error)}
        </Notice>
      )}
      {!error && !loaded && <Loader label="Loading the config…" />}
      {!error && loaded && peer.data && provider.data && (
        <ConfigForYourSide node={node} peer={peer.data} provider={provider.data} />
      )}
    </Page>
  );
}

function ConfigForYourSide(sides: PeeringSides) {
  const { peer, provider } = sides;
  return (
    <>
      <Panel title="Here is the config for your side:">
        <KeyValueList
          items={[
            {
              label: "IP/port",
              value: <Provided value={providerEndpoint(provider, peer)} label="IP and port" />,
            },
            { label: "Tunnel IPv4", value: <Provided value={provider.local_ipv4} label="tunnel IPv4" /> },
            { label: "Tunnel IPv6", value: <Provided value={provider.local_ipv6} label="tunnel IPv6" /> },
            { label: "Public key", value: <Provided value={provider.public_key} label="public key" /> },
            { label: "ASN", value: <Provided value={peer.local_asn} label="ASN" /> },
          ]}
        />
      </Panel>
      <chakra.p color="fg.muted">This config stays available later under Edit Config.</chakra.p>
      <PastePanel {...sides} />
    </>
  );
}
