import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "../../../contract/entities.ts";
import { peeringHealth } from "../../../domain/health.ts";
import { useProvider } from "../../api/provider.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { DeploymentLink } from "./deployment-link.tsx";
import { HealthBubble, unknownHealth } from "./health-bubble.tsx";

/** Columns of the same width in every row, so that states and latencies can be read downwards. */
const columns = {
  base: "auto minmax(0, 1fr) auto",
  md: "minmax(0, 1fr) 8rem 6rem auto",
  xl: "minmax(0, 1fr) 8rem 6rem 18rem auto",
};
const areas = {
  base: `"node node view" "state latency view" "issue issue issue"`,
  md: `"node state latency view" "issue issue issue issue"`,
  xl: `"node state latency traffic view" "issue issue issue issue issue"`,
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
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={columns}
      gridTemplateAreas={areas}
      alignItems="center"
      columnGap="4"
      rowGap={{ base: "1", md: "0" }}
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
          <HealthBubble status={status.known ? peeringHealth(status) : unknownHealth} />
        ) : (
          <DeploymentLink node={node} deployment={deployment} />
        )}
      </chakra.div>
      {deployment === null && (
        <>
          <Small gridArea="latency">{status.latency}</Small>
          <Small gridArea="traffic" display={{ base: "none", xl: "block" }}>
            {wg_status.state === "Up" && `${wg_status.rx} received, ${wg_status.tx} transmitted`}
          </Small>
          {issue !== undefined && (
            <Small gridArea="issue" mt={{ md: "1" }} overflowWrap="anywhere">
              {issue}
            </Small>
          )}
        </>
      )}
      <ButtonLink to="/manager" search={{ node }} size="sm" gridArea="view" alignSelf="start">
        <span>
          View<VisuallyHidden>{` ${node}.${domain}`}</VisuallyHidden>
        </span>
      </ButtonLink>
    </chakra.li>
  );
}
