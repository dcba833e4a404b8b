/** The four files of a peering, and what the programs that read them must find. */
import { renderBirdPeering } from "../../src/agent/drivers/bird/render.ts";
import { endpointOf } from "../../src/agent/drivers/routed-peering.ts";
import { renderWireguard as renderNodeWireguard } from "../../src/agent/drivers/wireguard/render.ts";
import { interfaceName, sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { renderBird, renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { nodeHosts, providerAsn, type RandomPeering } from "../support/fixtures/arbitrary-peering.ts";

/** The private key of all files, clamped (RFC 7748) like the keys that `wg` prints. */
export const privateKey = "AAIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eH2A=";

/** The pre-shared key of the files that have one. */
const presharedKey = "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=";

/** The values of a tunnel as `wg` has to read them. */
export interface ExpectedTunnel {
  readonly publicKey: string;
  /** `address:port`, IPv6 in brackets. */
  readonly endpoint: string;
  readonly listenPort: number;
}

/** Renders the files, with a private key in the participant's file as they would insert it. */
export function renderFiles(random: RandomPeering) {
  const { routed, sides } = random;
  return {
    random,
    nodeBird: renderBirdPeering(routed, { providerAsn }),
    participantBird: renderBird(sides),
    nodeWireguard: renderNodeWireguard(routed, privateKey),
    participantWireguard: renderWireguard({ ...sides, presharedKey }).replace(
      "<paste your private key here>",
      privateKey,
    ),
  };
}

/** Leaves out peerings with protocols of the same name as others, which no router could have. */
export function withUniqueNames(peerings: readonly RandomPeering[]): readonly RandomPeering[] {
  const names = new Set<string>();
  return peerings.filter((random) => {
    const own = [
      ...nodeProtocols(random),
      ...participantProtocols(random).map((name) => `participant ${name}`),
    ];
    if (own.some((name) => names.has(name))) return false;
    for (const name of own) names.add(name);
    return true;
  });
}

/** Returns the names of the peering's BIRD protocols on the node. */
export function nodeProtocols({ routed }: RandomPeering): readonly string[] {
  return sessionsOf(routed.peering).map(({ name }) => name);
}

/** Returns the names on the participant's router, which identify the node instead of the AS. */
export function participantProtocols(random: RandomPeering): readonly string[] {
  const { routed, sides } = random;
  const prefix = participantInterface(providerAsn, sides.node);
  return nodeProtocols(random).map((name) => name.replace(interfaceName(routed.peering.asn), prefix));
}

export function nodeTunnel({ routed }: RandomPeering): ExpectedTunnel {
  const { publicKey, listenPort } = routed.peering;
  return { publicKey, endpoint: endpointOf(routed) ?? "(none)", listenPort };
}

export function participantTunnel({ routed, sides }: RandomPeering): ExpectedTunnel {
  const { endpointPort, listenPort } = routed.peering;
  const { public_ip, public_key } = sides.provider;
  const address = (nodeHosts.names as readonly string[]).includes(public_ip) ? nodeHosts.address : public_ip;
  return {
    publicKey: public_key,
    endpoint: endpointText(address, listenPort),
    listenPort: endpointPort ?? 0,
  };
}

function endpointText(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
