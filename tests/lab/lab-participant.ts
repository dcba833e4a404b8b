/** A participant in the lab, set up by hand: WireGuard, addresses, and its own BIRD. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Peering } from "../../src/contract/agent.ts";
import { type Family, sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { isLinkLocal, shareLinkLocalSubnet } from "../../src/domain/address-ranges.ts";
import { defaultMtu } from "../../src/domain/peering/option-rules.ts";
import { providerAsn } from "./lab-node.ts";
import { type LabHost, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { createInterface, type WireguardKeys } from "../../src/lab/hosts/wireguard.ts";

export interface ParticipantSetup {
  readonly keys: WireguardKeys;
  readonly peering: Peering;
  readonly nodeKey: string;
  /** The node's public address, that of most tests by default. */
  readonly nodeAddress?: string;
  /** Prefixes to announce. */
  readonly routes?: readonly string[];
  /** The address families that its BIRD negotiates; all of the session by default. */
  readonly families?: readonly Family[];
  /** More options of each session, in BIRD's words. */
  readonly sessionOptions?: string;
}

export const nodeAddress = "198.51.100.254";

/** The participant's interface. */
export const tunnel = "wg-node";

/** Brings up the tunnel and BIRD. */
export async function joinNode(
  host: Pick<LabHost, "run" | "folder">,
  setup: ParticipantSetup,
): Promise<void> {
  const at = (name: string) => path.join(host.folder, name);
  await bringUpTunnel(host, setup);
  await writeFile(at("bird.conf"), birdConfig(setup));
  await host.run("bird", "-c", at("bird.conf"), "-s", at("bird.ctl"), "-P", at("bird.pid"));
}

export async function bringUpTunnel(
  host: Pick<LabHost, "run" | "folder">,
  setup: Omit<ParticipantSetup, "routes">,
): Promise<void> {
  const { peering, keys } = setup;
  await createInterface(host, tunnel, [
    "[Interface]",
    `PrivateKey = ${keys.privateKey}`,
    ...(peering.endpointPort === null ? [] : [`ListenPort = ${peering.endpointPort}`]),
    "[Peer]",
    `PublicKey = ${setup.nodeKey}`,
    ...(peering.presharedKey === undefined ? [] : [`PresharedKey = ${peering.presharedKey}`]),
    `Endpoint = ${setup.nodeAddress ?? nodeAddress}:${peering.listenPort}`,
    "AllowedIPs = 172.20.0.0/14, 10.0.0.0/8, fd00::/8, fe80::/10",
    "PersistentKeepalive = 25",
  ]);
  const { peerIpv4, localIpv4, peerIpv6, localIpv6 } = peering;
  const address6 = shareLinkLocalSubnet(peerIpv6 ?? "", localIpv6 ?? "")
    ? `${peerIpv6}/64`
    : `${peerIpv6} peer ${localIpv6}/128`;
  await runCommands(host, [
    `ip link set ${tunnel} mtu ${peering.mtu ?? defaultMtu} up`,
    ...(peerIpv4 === null ? [] : [`ip address add ${peerIpv4} peer ${localIpv4}/32 dev ${tunnel}`]),
    ...(peerIpv6 === null ? [] : [`ip address add ${address6} dev ${tunnel} nodad`]),
  ]);
}

function birdConfig({ peering, routes = [], families, sessionOptions = "" }: ParticipantSetup): string {
  const { peerIpv4, localIpv4, peerIpv6, localIpv6, asn } = peering;
  const protocols = sessionsOf(peering).map((session) => {
    const [own, far] = session.transport === "IPv4" ? [peerIpv4, localIpv4] : [peerIpv6, localIpv6];
    const zone = isLinkLocal(far ?? "") ? ` % '${tunnel}'` : "";
    const negotiated = session.channels.filter((family) => families?.includes(family) ?? true);
    const channels = negotiated.map(
      (family) =>
        `${family.toLowerCase()} { import all; export where source = RTS_STATIC; ${
          session.extendedNextHop && family === "IPv4" ? "extended next hop on;" : ""
        } };`,
    );
    return (
      `protocol bgp ${session.name} { local as ${asn}; source address ${own}; ` +
      `neighbor ${far}${zone} as ${providerAsn}; connect delay time 1; ${sessionOptions} ${channels.join(" ")} }`
    );
  });
  const announced = (sign: string) =>
    routes.filter((route) => route.includes(sign)).map((route) => `route ${route} blackhole;`);
  return [
    "router id 172.20.1.1;",
    "protocol device {}",
    `protocol static { ipv4; ${announced(".").join(" ")} }`,
    `protocol static { ipv6; ${announced(":").join(" ")} }`,
    "protocol kernel { ipv4 { export where source = RTS_BGP; }; }",
    "protocol kernel { ipv6 { export where source = RTS_BGP; }; }",
    ...protocols,
    "",
  ].join("\n");
}
