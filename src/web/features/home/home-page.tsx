import { chakra } from "@chakra-ui/react/styled-system";
import { memo } from "react";
import type { NetworkSummary } from "#contract/history.ts";
import { useNetworkSummary } from "../../api/network/history-queries.ts";
import { useLoggedInAs } from "../../api/login-session.ts";
import { useNodeRows } from "../../api/network/node-rows.ts";
import { useProvider } from "../../api/provider.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { DeferredRender } from "../../ui/layout/first-paint.tsx";
import { usePageTitle } from "../../ui/layout/headings.tsx";
import { createLazyPart } from "../../ui/layout/lazy-part.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { NodeTable, NodeTableFrame } from "../../ui/plots/node-table.tsx";
import { TextLink } from "../../ui/text/link.tsx";
import { NetworkFigures } from "./network-figures.tsx";
import { NetworkPicture } from "./network-picture.tsx";

const NetworkTopics = createLazyPart(async () => (await import("./network-topics.tsx")).NetworkTopics);

export function HomePage() {
  const { name } = useProvider();
  const heading = usePageTitle("Home");
  const isLoggedIn = useLoggedInAs() !== null;
  return (
    <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr)" gap={{ base: "10", md: "12" }}>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 23rem) minmax(0, 1fr)" }}
        columnGap="10"
        rowGap="8"
        alignItems="center"
      >
        <div>
          <chakra.h1
            ref={heading}
            tabIndex={-1}
            outline="none"
            fontSize={{ base: "2xl", md: "3xl" }}
            textWrap="balance"
            fontWeight="semibold"
            lineHeight="tight"
            letterSpacing="tight"
          >
            Peer with {name}
          </chakra.h1>
          <chakra.p mt="3" fontSize="lg" color="fg.muted">
            {name} is part of a community project where participants set up VPN tunnels to each other and peer
            via BGP. Set up a WireGuard tunnel and a BGP session to any of our nodes, and watch it come up.
          </chakra.p>
          <chakra.div mt="6" display="flex" flexWrap="wrap" gap="3">
            <ButtonLink to="/manager" tone="primary" size="lg">
              Go to Peering Manager
            </ButtonLink>
            {!isLoggedIn && (
              <ButtonLink to="/register" size="lg">
                Register
              </ButtonLink>
            )}
          </chakra.div>
          <NetworkFigures />
        </div>
        <NetworkPicture />
      </chakra.div>
      <DeferredRender>
        <Panel title="Nodes" actions={<NodeLinks />} flush>
          <NodeTableFrame>
            <Nodes />
          </NodeTableFrame>
        </Panel>
        <NetworkTopics />
      </DeferredRender>
    </chakra.div>
  );
}

/** A component of its own, as all that waits for data, so that the screen is not rendered again when it arrives. */
function Nodes() {
  return <NodeRows summary={useNetworkSummary()} />;
}

/** Rendered only for another summary, in slices: see `useNetworkSummary`. */
const NodeRows = memo(({ summary }: { readonly summary: NetworkSummary | null }) => (
  <NodeTable rows={useNodeRows(summary)} />
));

function NodeLinks() {
  return (
    <chakra.span display="flex" columnGap="4" fontSize="sm">
      <TextLink to="/map">Show on the map</TextLink>
      <TextLink to="/status">Node status</TextLink>
    </chakra.span>
  );
}
