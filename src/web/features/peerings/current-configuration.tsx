import { chakra } from "@chakra-ui/react/styled-system";
import type { NodeConfig, PeerConfig } from "../../../contract/entities.ts";
import { type PeeringSides, providerEndpoint } from "../../../domain/participant-config.ts";
import { useProvider } from "../../api/provider.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Panel } from "../../ui/panel.tsx";
import { PastePanel } from "../../ui/paste-panel.tsx";
import { Provided } from "../../ui/provided.tsx";

export function CurrentConfiguration(sides: PeeringSides) {
  const { name } = useProvider();
  const { peer, provider } = sides;
  return (
    <>
      <chakra.div
        display="grid"
        gap="4"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }}
      >
        <Panel title={`${name}'s side`}>
          <KeyValueList narrow items={providerSide(peer, provider)} />
        </Panel>
        <Panel title="Your side">
          <KeyValueList narrow items={userSide(peer)} />
          <chakra.h4 mt="4" mb="1" fontWeight="semibold">
            BGP settings
          </chakra.h4>
          <KeyValueList narrow items={bgpSettings(peer)} />
        </Panel>
      </chakra.div>
      <PastePanel {...sides} />
    </>
  );
}

function providerSide(peer: PeerConfig, provider: NodeConfig) {
  const endpoint = provider.public_ip === "" ? "" : providerEndpoint(provider, peer);
  return [
    { label: "IP/port", value: <Provided value={endpoint} label="our IP and port" /> },
    { label: "IPv4", value: <Provided value={provider.local_ipv4} label="our IPv4 address" /> },
    { label: "IPv6", value: <Provided value={provider.local_ipv6} label="our IPv6 address" /> },
    { label: "Public key", value: <Provided value={provider.public_key} label="our public key" /> },
    { label: "ASN", value: <Provided value={peer.local_asn} label="our ASN" /> },
  ];
}

function userSide(peer: PeerConfig) {
  return [
    { label: "IP/port", value: <Provided value={peer.remote} label="your IP and port" /> },
    { label: "IPv4", value: <Provided value={peer.peer_ipv4} label="your IPv4 address" /> },
    { label: "IPv6", value: <Provided value={peer.peer_ipv6} label="your IPv6 address" /> },
    { label: "Public key", value: <Provided value={peer.peer_publickey} label="your public key" /> },
  ];
}

function bgpSettings(peer: PeerConfig) {
  return [
    { label: "ASN", value: <Provided value={peer.peer_asn} label="your ASN" /> },
    { label: "IPv4", value: peer.bgp_ipv4 },
    { label: "IPv6", value: peer.bgp_ipv6 },
    { label: "MP-BGP", value: peer.bgp_mpbgp },
    { label: "Extended Nexthop", value: peer.bgp_extnh },
  ];
}
