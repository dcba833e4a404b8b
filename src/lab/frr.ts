/** The participant's half of the BGP sessions in FRR's words, as `renderBird` has it in BIRD's. */
import { type BgpSession, sessionsOf } from "../domain/bgp-sessions.ts";
import { participantInterface, type PeeringSides } from "../domain/participant-config.ts";

/** Commands for `vtysh`. */
export function frrCommands(sides: PeeringSides): readonly string[] {
  const { peer } = sides;
  const sessions = sessionsOf({
    asn: peer.peer_asn,
    addressFamily: peer.address_family,
    extendedNextHop: peer.bgp_extnh === "Yes",
  });
  const commands = sessions.flatMap((session) => sessionCommands(session, sides));
  return ["configure terminal", `router bgp ${peer.peer_asn}`, ...commands];
}

/** Commands that remove the neighbours which these commands set up. */
export function frrRemoval(asn: string, commands: readonly string[]): readonly string[] {
  const neighbours = commands.flatMap((command) => /^neighbor (\S+) remote-as/.exec(command)?.[1] ?? []);
  return [
    "configure terminal",
    `router bgp ${asn}`,
    ...neighbours.map((address) => `no neighbor ${address}`),
  ];
}

function sessionCommands(session: BgpSession, { node, peer, provider }: PeeringSides): readonly string[] {
  const { transport, channels, extendedNextHop } = session;
  const [own, far] =
    transport === "IPv4" ? [peer.peer_ipv4, provider.local_ipv4] : [peer.peer_ipv6, provider.local_ipv6];
  const neighbour = `neighbor ${far}`;
  const commands = [`${neighbour} remote-as ${peer.local_asn}`, `${neighbour} timers connect 2`];
  if (far.startsWith("fe80:")) commands.push(`${neighbour} interface ${participantInterface(node)}`);
  commands.push(`${neighbour} update-source ${own}`);
  if (extendedNextHop) commands.push(`${neighbour} capability extended-nexthop`);
  for (const family of channels) {
    commands.push(
      `address-family ${family.toLowerCase()} unicast`,
      `${neighbour} activate`,
      "exit-address-family",
    );
  }
  return commands;
}
