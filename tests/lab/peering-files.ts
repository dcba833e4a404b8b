/** The four files of a peering, and what the programs that read them must find. */
import { renderBirdPeering } from "../../src/agent/drivers/bird/render.ts";
import { endpointOf } from "../../src/agent/drivers/routed-peering.ts";
import { renderWireguard as renderNodeWireguard } from "../../src/agent/drivers/wireguard/render.ts";
import { interfaceName, sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { renderBird, renderWireguard } from "../../src/domain/peering/participant-config.ts";
import { participantInterface } from "../../src/domain/peering/participant-names.ts";
import { nodeHosts, providerAsn, type RandomPeering } from "../support/fixtures/arbitrary-peering.ts";

export const fileKinds = ["nodeBird", "participantBird", "nodeWireguard", "participantWireguard"] as const;
export type FileKind = (typeof fileKinds)[number];

/** The private key of all files, clamped (RFC 7748) like the keys that `wg` prints. */
export const privateKey = "AAIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eH2A=";

/** The pre-shared key of the files that have one. */
const presharedKey = "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=";

export type PeeringFiles = Readonly<Record<FileKind, string>> & { readonly random: RandomPeering };

/** The values of a tunnel as `wg` has to read them. */
export interface ExpectedTunnel {
  readonly publicKey: string;
  /** `address:port`, IPv6 in brackets. */
  readonly endpoint: string;
  readonly listenPort: number;
}

/** Renders the files, with a private key in the participant's file as they would insert it. */
export function renderFiles(random: RandomPeering): PeeringFiles {
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

/** Divides peerings into batches that one router could have: no two protocols of a batch have the same name. */
export function toBatches(
  peerings: readonly RandomPeering[],
  size: number,
): ReadonlyArray<readonly PeeringFiles[]> {
  const batches: Array<{ readonly files: PeeringFiles[]; readonly names: Set<string> }> = [];
  for (const random of peerings) {
    const names = [
      ...nodeProtocols(random).map((name) => `node ${name}`),
      ...participantProtocols(random).map((name) => `participant ${name}`),
    ];
    const isFree = (batch: (typeof batches)[number]) =>
      batch.files.length < size && !names.some((name) => batch.names.has(name));
    const found = batches.find(isFree);
    const batch = found ?? { files: [], names: new Set<string>() };
    if (!found) batches.push(batch);
    batch.files.push(renderFiles(random));
    for (const name of names) batch.names.add(name);
  }
  return batches.map(({ files }) => files);
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
