import { chakra } from "@chakra-ui/react/styled-system";
import { useQueries, useQuery } from "@tanstack/react-query";
import { type Dispatch, useId } from "react";
import { errorMessage } from "#web/api/client.ts";
import { networkSummaryQuery } from "#web/api/network/history-queries.ts";
import { nodesListQuery, peeredNodesQuery } from "#web/api/peering-queries.ts";
import { useNodeHost, useProvider } from "#web/api/provider.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { TextLink } from "#web/ui/text/link.tsx";
import type { WizardAction } from "../wizard-state.ts";
import { ColumnHeads, findObstacle, NodeButton, rowsHeight } from "./node-button.tsx";
import { NodeOffer } from "./node-offer.tsx";
import { findNearest, useRoundTrips } from "./round-trips.ts";

/** The operator may close a node while the participant chooses one. */
const refetchMs = 5_000;

export interface SelectNodeStepProps {
  readonly username: string;
  /** Empty until chosen. */
  readonly chosen: string;
  /** Whether the server has refused a peering with the chosen node. */
  readonly isRefused: boolean;
  readonly dispatch: Dispatch<WizardAction>;
}

export function SelectNodeStep({ username, chosen, isRefused, dispatch }: SelectNodeStepProps) {
  const hintId = useId();
  const [nodes, peered] = useQueries({ queries: [nodesListQuery(username), peeredNodesQuery(username)] });
  // Says which nodes are down, full or closed. A server without it, or without a network, marks none.
  const { data: summary } = useQuery({ ...networkSummaryQuery(), refetchInterval: refetchMs });
  const known = new Map(summary?.nodes.map((each) => [each.node, each]));
  const isPeered = (name: string) => peered.data?.includes(name) === true;
  const choosableOf = (name: string) => ({
    peered: isPeered(name),
    isRefused: isRefused && name === chosen,
    known: known.get(name),
  });
  const canChoose = (name: string) => findObstacle(choosableOf(name)) === "";
  const roundTrips = useRoundTrips(
    username,
    peered.data && nodes.data?.map(({ name }) => name),
    peered.data !== undefined && peered.data.length > 0,
  );
  const nodeHost = useNodeHost();
  const provider = useProvider();
  const error = nodes.error ?? peered.error;
  const choose = (node: string) => dispatch({ type: "nodeChosen", node });
  const nearest =
    roundTrips &&
    findNearest(
      roundTrips.order.filter((name) => canChoose(name) && known.get(name)?.now !== "Down"),
      roundTrips.latencies,
    );
  return (
    <>
      <div id={hintId}>
        <chakra.p color="fg.muted">Only one peering per provider node is possible at the moment.</chakra.p>
        {roundTrips?.isShown === true && (
          <chakra.p color="fg.muted" fontSize="sm" mt="1" minHeight="5" overflowWrap="anywhere">
            {roundTrips.sentence}
          </chakra.p>
        )}
      </div>
      {error && (
        <Notice
          onRetry={() => void Promise.all([nodes.refetch(), peered.refetch()])}
          isRetrying={nodes.isFetching || peered.isFetching}
        >
          The nodes could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {!error && (nodes.isPending || peered.isPending) && (
        // As high as the list, if the server names the nodes of the profile.
        <chakra.div minHeight={rowsHeight(provider.nodes.length)}>
          <Loader label="Loading nodes…" />
        </chakra.div>
      )}
      {roundTrips?.order.every(isPeered) === true && (
        <Notice>You already peer with every node. To change a peering, open it on the dashboard.</Notice>
      )}
      {roundTrips && !roundTrips.order.some(canChoose) && !roundTrips.order.every(isPeered) && (
        <Notice>
          {roundTrips.order.some(isPeered) ? "All other nodes are" : "All nodes are"} full or closed to new
          peerings. To ask for a place, use the{" "}
          <TextLink to="/manager" search={{ view: "contact" }}>
            contact form
          </TextLink>
          .
        </Notice>
      )}
      {roundTrips && chosen !== "" && !canChoose(chosen) && (
        <NodeOffer
          chosen={chosen}
          obstacle={isRefused ? "" : findObstacle(choosableOf(chosen))}
          nearest={nearest}
          onChoose={choose}
        />
      )}
      {roundTrips && (
        <chakra.div
          role="group"
          aria-label="Node"
          aria-describedby={hintId}
          // Its rows reach the borders of the frame.
          mx={{ base: "-4", md: "-5" }}
          borderBlockWidth="1px"
          _last={{ mb: "-4", borderBottomWidth: "0" }}
        >
          {roundTrips.isShown && <ColumnHeads />}
          {roundTrips.order.map((name) => (
            <NodeButton
              key={name}
              name={name}
              chosen={name === chosen}
              {...choosableOf(name)}
              roundTrip={
                roundTrips.isShown
                  ? {
                      latency: roundTrips.latencies.get(name) ?? (roundTrips.isLoaded ? null : undefined),
                      isNearest: name === nearest,
                      isLate: roundTrips.isLate,
                    }
                  : null
              }
              onChoose={() => choose(name)}
            />
          ))}
        </chakra.div>
      )}
      {known.get(chosen)?.now === "Down" && (
        <Notice tone="warning">
          {nodeHost(chosen)} cannot be reached at the moment. A deployment waits two minutes for it, and fails
          if it is not back by then.
        </Notice>
      )}
    </>
  );
}
