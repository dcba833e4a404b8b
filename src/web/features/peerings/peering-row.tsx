import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "../../../contract/entities.ts";
import { peeringHealth } from "../../../domain/health.ts";
import { useProvider } from "../../api/provider.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { DeploymentLink } from "./deployment-link.tsx";
import { HealthBubble } from "./health-bubble.tsx";

export interface PeeringRowProps {
  readonly status: PeerStatus;
}

export function PeeringRow({ status }: PeeringRowProps) {
  const { domain } = useProvider();
  const { node, deployment } = status;
  const [issue] = [...status.wg_status.issues, ...status.bgp_issues];
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns="minmax(0, 1fr) auto"
      alignItems="center"
      columnGap="4"
      px={{ base: "4", md: "5" }}
      py="2.5"
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <div>
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="3" rowGap="1">
          <chakra.span overflowWrap="anywhere">
            <chakra.span color="fg.muted">node: </chakra.span>
            <chakra.span fontFamily="mono">{`${node}.${domain}`}</chakra.span>
          </chakra.span>
          {deployment === null ? (
            <HealthBubble status={peeringHealth(status)} />
          ) : (
            <DeploymentLink node={node} deployment={deployment} />
          )}
          {deployment === null && status.latency !== "" && (
            <chakra.span fontSize="sm" color="fg.muted">
              {status.latency}
            </chakra.span>
          )}
        </chakra.div>
        {deployment === null && issue !== undefined && (
          <chakra.p mt="1" fontSize="sm" color="fg.muted">
            {issue}
          </chakra.p>
        )}
      </div>
      <ButtonLink to="/manager" search={{ node }} size="sm">
        <span>
          View<VisuallyHidden>{` ${node}.${domain}`}</VisuallyHidden>
        </span>
      </ButtonLink>
    </chakra.li>
  );
}
