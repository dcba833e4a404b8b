/** Configures a participant's BGP daemon with its neighbours. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLinkLocal } from "../domain/address-ranges.ts";
import { type BgpSession, sessionsOf } from "../domain/peering/bgp-sessions.ts";
import { type PeeringSides, renderBird } from "../domain/peering/participant-config.ts";
import { participantInterface } from "../domain/peering/participant-names.ts";
import type { hostAt } from "./hosts/namespaces.ts";
import { LabError, type ParticipantPlan } from "./network.ts";

export interface Speaker {
  /** Sets up the sessions with a node and replaces its previous ones. */
  readonly addSessions: (sides: PeeringSides) => Promise<void>;
  /** Removes the sessions with a node. */
  readonly removeSessions: (node: string) => Promise<void>;
}

type Host = ReturnType<typeof hostAt>;

export function createSpeaker(host: Host, plan: ParticipantPlan): Speaker {
  return plan.speaker === "BIRD" ? createBirdSpeaker(host) : createFrrSpeaker(host, plan.asn);
}

function createBirdSpeaker(host: Host): Speaker {
  const file = (node: string) => join(host.folder, "bird/peers", `${node}.conf`);
  const configure = async () => {
    const output = await host.run("birdc", "configure");
    if (!/Reconfigur/.test(output))
      throw new LabError(`BIRD of ${host.name} rejected its configuration:\n${output}`);
  };
  return {
    addSessions: async (sides) => {
      await writeFile(file(sides.node), renderBird(sides));
      await configure();
    },
    removeSessions: async (node) => {
      await rm(file(node));
      await configure();
    },
  };
}

function createFrrSpeaker(host: Host, asn: string): Speaker {
  const file = (node: string) => join(host.folder, "frr", `${node}.commands`);
  const runCommands = (commands: readonly string[]) =>
    host.run("vtysh", ...commands.flatMap((command) => ["-c", command]));
  const drop = async (node: string) => {
    const commandsBefore = await readFile(file(node), "utf8").catch(() => null);
    if (commandsBefore === null) return;
    await runCommands(frrRemoval(asn, commandsBefore.split("\n")));
    await rm(file(node));
  };
  return {
    addSessions: async (sides) => {
      await drop(sides.node);
      const commands = frrCommands(sides);
      await runCommands(commands);
      await writeFile(file(sides.node), commands.join("\n"));
    },
    removeSessions: drop,
  };
}

/** Renders the participant's side of the BGP sessions as commands for `vtysh`, like `renderBird` for BIRD. */
function frrCommands(sides: PeeringSides): readonly string[] {
  const { peer } = sides;
  const sessions = sessionsOf({
    asn: peer.peer_asn,
    addressFamily: peer.address_family,
    extendedNextHop: peer.bgp_extnh === "Yes",
  });
  const commands = sessions.flatMap((session) => sessionCommands(session, sides));
  return ["configure terminal", `router bgp ${peer.peer_asn}`, ...commands];
}

/** Renders the commands that remove the neighbours which `commands` set up. */
function frrRemoval(asn: string, commands: readonly string[]): readonly string[] {
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
  if (isLinkLocal(far)) commands.push(`${neighbour} interface ${participantInterface(peer.local_asn, node)}`);
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
