import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries, useQuery } from "@tanstack/react-query";
import { networkSummaryQuery } from "#web/api/network/history-queries.ts";
import { nodesListQuery, peeredNodesQuery } from "#web/api/peering-queries.ts";
import { useNodeHost, useNodePlace } from "#web/api/provider.ts";
import { Panel } from "#web/ui/layout/panel.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import { wizardLink } from "../../screen-links.ts";
import { findObstacle } from "./node-button.tsx";
import { useRoundTrips } from "./round-trips.ts";

/** Others are behind the link to the list of nodes. */
const maxOffers = 4;

export interface AlsoPeerWithProps {
  readonly username: string;
  /** The node of the peering that has just been deployed. */
  readonly deployed: string;
}

/** Offers the nodes without a peering, nearest first. Each link starts a new peering with its node. */
export function AlsoPeerWith({ username, deployed }: AlsoPeerWithProps) {
  const [nodes, peered] = useQueries({ queries: [nodesListQuery(username), peeredNodesQuery(username)] });
  const { data: summary } = useQuery(networkSummaryQuery());
  const roundTrips = useRoundTrips(username, peered.data && nodes.data?.map(({ name }) => name), true);
  const known = new Map(summary?.nodes.map((each) => [each.node, each]));
  const canOffer = (name: string) => {
    const node = known.get(name);
    const isPeered = name === deployed || peered.data?.includes(name) === true;
    return node?.now !== "Down" && findObstacle({ peered: isPeered, isRefused: false, known: node }) === "";
  };
  const offered = roundTrips?.order.filter(canOffer) ?? [];
  if (!roundTrips || offered.length === 0) return null;
  return (
    <Panel
      title="Also peer with…"
      actions={offered.length > maxOffers && <TextLink {...wizardLink("new")}>All nodes</TextLink>}
      flush
    >
      <ul>
        {offered.slice(0, maxOffers).map((name) => (
          <Offer key={name} node={name} latency={roundTrips.latencies.get(name)} />
        ))}
      </ul>
    </Panel>
  );
}

interface OfferProps {
  readonly node: string;
  /** Milliseconds; undefined if it is not known. */
  readonly latency: number | undefined;
}

function Offer({ node, latency }: OfferProps) {
  const nodeHost = useNodeHost();
  const place = useNodePlace(node);
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      alignItems="baseline"
      columnGap="4"
      px={{ base: "4", md: "5" }}
      py="2.5"
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <TextLink {...wizardLink("new", node)} fontFamily="mono" overflowWrap="anywhere">
        {nodeHost(node)}
      </TextLink>
      <chakra.span flex="1" fontSize="sm" color="fg.muted">
        <bdi>{place}</bdi>
      </chakra.span>
      {latency !== undefined && (
        <chakra.span fontSize="sm" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
          {latency < 1 ? "<1" : Math.round(latency)} ms
        </chakra.span>
      )}
    </chakra.li>
  );
}
