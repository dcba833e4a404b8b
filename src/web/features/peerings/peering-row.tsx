import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "../../../contract/entities.ts";
import { bubbleClass, peeringHealth } from "../../../domain/health.ts";
import { useProvider } from "../../api/provider.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { DeploymentLink } from "./deployment-link.tsx";
import { HealthBubble, unknownHealth } from "./health-bubble.tsx";

/** Columns of the same width in every row, so that states and numbers can be read downwards. */
const columns = {
  base: "auto auto minmax(0, 1fr) auto",
  md: "minmax(0, 1fr) 6.5rem 7.5rem 5.5rem auto",
  xl: "minmax(0, 1fr) 6.5rem 7.5rem 5.5rem 17rem auto",
};
const areas = {
  base: `"node node node view" "state bgp latency latency" "issue issue issue issue"`,
  md: `"node state bgp latency view" "issue issue issue issue issue"`,
  xl: `"node state bgp latency traffic view" "issue issue issue issue issue issue"`,
};

const Small = chakra("span", { base: { fontSize: "sm", color: "fg.muted" } });

export interface PeeringRowProps {
  readonly status: PeerStatus;
}

export function PeeringRow({ status }: PeeringRowProps) {
  const { domain, nodes } = useProvider();
  const { node, deployment, wg_status } = status;
  const place = nodes.find(({ name }) => name === node)?.place ?? "";
  const [issue] = [...status.wg_status.issues, ...status.bgp_issues];
  const health = status.known ? peeringHealth(status) : unknownHealth;
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={columns}
      gridTemplateAreas={areas}
      alignItems="center"
      columnGap={{ base: "3", md: "4" }}
      rowGap={{ base: "1.5", md: "0" }}
      px={{ base: "4", md: "5" }}
      py="2.5"
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <chakra.div gridArea="node" overflowWrap="anywhere">
        <chakra.span color="fg.muted">node: </chakra.span>
        <chakra.span fontFamily="mono">{`${node}.${domain}`}</chakra.span>
        {place !== "" && <Small display="block">{place}</Small>}
      </chakra.div>
      <chakra.div gridArea="state" display="flex">
        {deployment === null ? (
          <HealthBubble status={health} />
        ) : (
          <DeploymentLink node={node} deployment={deployment} />
        )}
      </chakra.div>
      {deployment === null && (
        <>
          <Small gridArea="bgp">{status.known && sessionsUp(status)}</Small>
          <Small gridArea="latency">{status.latency}</Small>
          <Small gridArea="traffic" display={{ base: "none", xl: "block" }}>
            {wg_status.state === "Up" && `${wg_status.rx} received, ${wg_status.tx} transmitted`}
          </Small>
          {issue !== undefined && (
            <Small
              gridArea="issue"
              mt={{ md: "1.5" }}
              ps="2.5"
              maxWidth="48rem"
              borderInlineStartWidth="2px"
              borderColor={bubbleClass(health)}
              overflowWrap="anywhere"
            >
              {issue}
            </Small>
          )}
        </>
      )}
      <ButtonLink to="/manager" search={{ node }} size="sm" gridArea="view">
        <span>
          View<VisuallyHidden>{` ${node}.${domain}`}</VisuallyHidden>
        </span>
      </ButtonLink>
    </chakra.li>
  );
}

/** How many of the peering's BGP sessions are Established. */
function sessionsUp({ sessions }: PeerStatus): string {
  const up = sessions.filter(({ state }) => state === "Established").length;
  return sessions.length === 0 ? "" : `BGP ${up} of ${sessions.length} up`;
}
