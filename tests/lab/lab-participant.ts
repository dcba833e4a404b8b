/** A participant in the lab, set up by hand: WireGuard, addresses, and its own BIRD. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Peering } from "../../src/contract/agent.ts";
import { sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { defaultMtu } from "../../src/domain/peering/option-rules.ts";
import { providerAsn } from "./lab-node.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { createInterface, type WireguardKeys } from "../../src/lab/hosts/wireguard.ts";

export interface ParticipantSetup {
  readonly keys: WireguardKeys;
  readonly peering: Peering;
  readonly nodeKey: string;
  /** The node's public address. */
  readonly nodeAddress: string;
  /** Prefixes to announce. */
  readonly routes: readonly string[];
}

/** The participant's interface. */
export const tunnel = "wg-node";

/** Brings up the tunnel and BIRD. */
export async function joinNode(
  host: Pick<LabHost, "run" | "folder">,
  setup: ParticipantSetup,
): Promise<void> {
  const { peering, keys } = setup;
  await createInterface(host, tunnel, [
    "[Interface]",
    `PrivateKey = ${keys.privateKey}`,
    ...(peering.endpointPort === null ? [] : [`ListenPort = ${peering.endpointPort}`]),
    "[Peer]",
    `PublicKey = ${setup.nodeKey}`,
    ...(peering.presharedKey === undefined ? [] : [`PresharedKey = ${peering.presharedKey}`]),
    `Endpoint = ${setup.nodeAddress}:${peering.listenPort}`,
    "AllowedIPs = 172.20.0.0/14, 10.0.0.0/8, fd00::/8, fe80::/10",
    "PersistentKeepalive = 25",
  ]);
  await host.run("ip", "link", "set", tunnel, "mtu", String(peering.mtu ?? defaultMtu), "up");
  const { peerIpv4, localIpv4, peerIpv6, localIpv6 } = peering;
  if (peerIpv4 !== null)
    await host.run("ip", "address", "add", peerIpv4, "peer", `${localIpv4}/32`, "dev", tunnel);
  if (peerIpv6?.startsWith("fe80:") === true) {
    await host.run("ip", "address", "add", `${peerIpv6}/64`, "dev", tunnel, "nodad");
  } else if (peerIpv6 !== null) {
    await host.run("ip", "address", "add", peerIpv6, "peer", `${localIpv6}/128`, "dev", tunnel, "nodad");
  }
  await writeFile(path.join(host.folder, "bird.conf"), birdConfig(setup));
  const at = (name: string) => path.join(host.folder, name);
  await host.run("bird", "-c", at("bird.conf"), "-s", at("bird.ctl"), "-P", at("bird.pid"));
}

function birdConfig({ peering, routes }: ParticipantSetup): string {
  const { peerIpv4, localIpv4, peerIpv6, localIpv6, asn } = peering;
  const protocols = sessionsOf(peering).map((session) => {
    const [own, far] = session.transport === "IPv4" ? [peerIpv4, localIpv4] : [peerIpv6, localIpv6];
    const zone = far?.startsWith("fe80:") === true ? ` % '${tunnel}'` : "";
    const channels = session.channels.map(
      (family) =>
        `${family.toLowerCase()} { import all; export where source = RTS_STATIC; ${
          session.extendedNextHop && family === "IPv4" ? "extended next hop on;" : ""
        } };`,
    );
    return (
      `protocol bgp ${session.name} { local as ${asn}; source address ${own}; ` +
      `neighbor ${far}${zone} as ${providerAsn}; connect delay time 1; ${channels.join(" ")} }`
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
