import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";
import { useNodeHost, useProvider } from "../../api/provider.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { CopyText } from "../../ui/text/copy-text.tsx";
import { KeyValueList } from "../../ui/text/key-value-list.tsx";
import { ExternalLink, TextLink } from "../../ui/text/link.tsx";
import { Newcomers } from "./newcomers.tsx";

export function AboutPage() {
  const { name } = useProvider();
  return (
    <Page title="About" lead={`What ${name} runs and how it works.`}>
      <chakra.div display="grid" gap={{ base: "8", md: "10" }} gridTemplateColumns="minmax(0, 1fr)">
        <Newcomers />
        <NodesTopic />
        <ManagementTopic />
        <ServicesTopic />
      </chakra.div>
    </Page>
  );
}

export function NodesTopic() {
  const { name, asn, nodes } = useProvider();
  const hostOf = useNodeHost();
  const count = nodes.length === 1 ? "one node" : `${nodes.length} nodes`;
  return (
    <Topic title="Nodes/Routers">
      <Prose>
        {name} is AS{asn} and runs {count}. Each node is a virtual machine that only routes. You can have one
        peering with each node; start with the nearest.
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
              <CopyText value={hostOf(node.name)} label={`hostname of ${hostOf(node.name)}`} />
              <chakra.span color="fg.muted" fontSize="sm">
                {node.place}
              </chakra.span>
            </chakra.li>
          ))}
        </chakra.ul>
      </Panel>
      <Prose>
        Only WireGuard tunnels are supported. Every peering has its own interface on the node, and its private
        key never leaves the node.
      </Prose>
      <Prose>
        BGP runs on BIRD. IPv4 and IPv6 are both supported: with one session per address family, or with one
        multiprotocol session and extended next hop, which carries IPv4 routes over IPv6. Routes are accepted
        if the registry authorises their origin.
      </Prose>
    </Topic>
  );
}

export function ManagementTopic() {
  return (
    <Topic title="Infrastructure Management">
      <Prose>
        Peerings are set up without anyone logging in to a router. The server validates what you submit in the
        Peering Manager, stores it as a new generation, and sends it to a small agent on the node. Only the
        agent changes WireGuard and BIRD there.
      </Prose>
      <Prose>
        A deployment is applied completely or not at all. The agent writes the new configuration next to the
        running one, lets BIRD check it, switches over, and confirms the change after a health check. If
        anything fails, or the confirmation does not arrive in time, the agent restores the previous tunnel
        and BGP configuration. You see every step, and the reason if the node refuses the change. Other
        peerings on the node are not affected.
      </Prose>
      <Prose>
        If a node is unreachable, the server retries for two minutes. After that the deployment ends with an
        error, and your previous configuration stays active.
      </Prose>
    </Topic>
  );
}

export function ServicesTopic() {
  const { resolver, looking_glass } = useProvider();
  const services = [
    resolver !== "" && {
      label: "Recursive DNS server",
      value: (
        <>
          <CopyText value={resolver} label="resolver address" />
          <br />
          The resolver address. Also resolves the network's own names.
        </>
      ),
    },
    looking_glass !== "" && {
      label: "BGP looking glass",
      value: (
        <>
          <ExternalLink href={looking_glass} target="_blank" rel="noreferrer" overflowWrap="anywhere">
            {looking_glass.replace(/^https?:\/\/|\/$/g, "")}
          </ExternalLink>
          <br />
          Shows the routes that our nodes see. Reachable only inside the network.
        </>
      ),
    },
    {
      label: "Uptime monitor",
      value: (
        <>
          <TextLink to="/status">Status</TextLink>
          <br />
          Current status and history of every node.
        </>
      ),
    },
  ].filter((service) => service !== false);
  return (
    <Topic title="Services">
      <Panel>
        <KeyValueList items={services} />
      </Panel>
    </Topic>
  );
}

export interface TopicProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A titled section, with its heading on the left where the screen is wide enough. */
export function Topic({ title, children }: TopicProps) {
  const titleId = useId();
  return (
    <chakra.section
      aria-labelledby={titleId}
      display="grid"
      gridTemplateColumns={{ base: "minmax(0, 1fr)", lg: "15rem minmax(0, 42rem)" }}
      columnGap="8"
      rowGap="3"
      pt={{ base: "6", md: "8" }}
      borderTopWidth="1px"
    >
      <chakra.h2 id={titleId} fontSize="lg" fontWeight="semibold" letterSpacing="tight">
        {title}
      </chakra.h2>
      <chakra.div display="grid" gap="3" gridTemplateColumns="minmax(0, 1fr)">
        {children}
      </chakra.div>
    </chakra.section>
  );
}

export const Prose = chakra("p", { base: { maxWidth: "prose", lineHeight: "relaxed" } });
