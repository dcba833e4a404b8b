import { chakra } from "@chakra-ui/react/styled-system";
import { useProvider } from "../../api/provider.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Prose, Topic } from "./topic.tsx";

export function NodesTopic() {
  const { name, asn, domain, nodes } = useProvider();
  const count = nodes.length === 1 ? "one node" : `${nodes.length} nodes`;
  return (
    <Topic title="Nodes/Routers">
      <Prose>
        {name} is AS{asn} and runs {count}. Each is a virtual machine that does nothing but route. You can
        have one peering with each; begin with the nearest.
      </Prose>
      <Panel flush>
        <chakra.ul aria-label="Nodes">
          {nodes.map((node) => (
            <chakra.li
              key={node.name}
              display="flex"
              flexDirection={{ base: "column", sm: "row" }}
              justifyContent="space-between"
              alignItems={{ sm: "center" }}
              columnGap="4"
              px={{ base: "4", md: "5" }}
              py="2"
              _notFirst={{ borderTopWidth: "1px" }}
            >
              <CopyText value={`${node.name}.${domain}`} label={`host name of ${node.name}`} />
              <chakra.span color="fg.muted" fontSize="sm">
                {node.place}
              </chakra.span>
            </chakra.li>
          ))}
        </chakra.ul>
      </Panel>
      <Prose>
        Tunnels are WireGuard only. Every peering has an interface of its own on the node, whose private key
        never leaves it.
      </Prose>
      <Prose>
        BGP runs on BIRD. IPv4 and IPv6 are both supported: in a session each, or together in one
        multiprotocol session, with extended next hop where you want IPv4 routes over IPv6 addresses. A route
        is taken when the registry says that its origin may announce it.
      </Prose>
    </Topic>
  );
}
