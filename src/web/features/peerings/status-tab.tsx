import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "../../../contract/entities.ts";
import { BgpCard } from "./bgp-card.tsx";
import { DeploymentLink } from "./deployment-link.tsx";
import { NodeCard } from "./node-card.tsx";
import { WireguardCard } from "./wireguard-card.tsx";

export interface StatusTabProps {
  readonly username: string;
  readonly status: PeerStatus;
}

export function StatusTab({ username, status }: StatusTabProps) {
  return (
    <chakra.div display="grid" gap="4">
      {status.deployment !== null && <DeploymentLink node={status.node} deployment={status.deployment} />}
      <chakra.div
        display="grid"
        gap="4"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(3, minmax(0, 1fr))" }}
      >
        <NodeCard username={username} node={status.node} />
        <WireguardCard status={status} />
        <BgpCard status={status} />
      </chakra.div>
    </chakra.div>
  );
}
