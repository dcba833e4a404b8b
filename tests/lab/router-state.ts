/** The state of a node's files, kernel and BIRD, as texts that differ exactly when the generation differs. */
import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { parseLinks } from "../../src/agent/drivers/wireguard/addresses.ts";
import { parseDump } from "../../src/agent/drivers/wireguard/parse-dump.ts";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";
import { eventually } from "./eventually.ts";
import { type LabNode, printFirewall, runAll, withoutRates } from "./lab-node.ts";

/** A complete generation: every part has the same state. */
export interface RouterState {
  readonly files: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  readonly tunnels: Readonly<
    Record<string, { readonly mtu: number; readonly peers: readonly unknown[] | undefined }>
  >;
  readonly owned: readonly string[];
  readonly firewall: string;
  /** What must not exist: leftovers, links that differ, unknown files. */
  readonly leftovers: readonly string[];
}

/** The files of an agent's state folder. */
const ownFile = /^(?:(?:events|interfaces|state)\.json|wireguard(?:-\w+)?\.key)$/;

/** Returns the files that BIRD would start with. */
export async function confirmedFiles({ folder }: LabHost): Promise<RouterState["files"]> {
  return filesIn(path.join(folder, "peerdeck/confirmed"));
}

export async function routerState(host: LabHost): Promise<RouterState> {
  const at = (name: string) => path.join(host.folder, name);
  const [files, printed, owned, slots, stateFiles, current, confirmed] = await Promise.all([
    confirmedFiles(host),
    runAll(host, [
      `birdc -s ${at("bird.ctl")} show protocols all`,
      "ip -json address show",
      "wg show all dump",
      printFirewall,
    ]),
    readFile(at("state/interfaces.json"), "utf8"),
    readdir(at("peerdeck")),
    readdir(at("state")),
    readlink(at("peerdeck/current")),
    readlink(at("peerdeck/confirmed")),
  ]);
  const [shown = "", links = "", dump = "", firewall = ""] = printed;
  const spareFiles = Object.keys(await filesIn(at(`peerdeck/${confirmed === "a" ? "b" : "a"}`)));
  const states = parseDump(dump);
  const tunnels = Array.from(parseLinks(links))
    .filter(([name]) => name.startsWith("dn42_"))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, link]) => {
      const state = states.get(name);
      const peers = state?.peers.map(({ publicKey, presharedKey, endpoint, allowedIps, keepalive }) => ({
        publicKey,
        presharedKey,
        endpoint,
        allowedIps: allowedIps.toSorted(),
        keepalive,
      }));
      const addresses = link.addresses.toSorted();
      const { up, mtu } = link;
      return [name, { up, mtu, addresses, listenPort: state?.listenPort, key: state?.privateKey, peers }];
    });
  return {
    files,
    protocols: shown
      .split("\n")
      .map((line) =>
        /^(dn42_\S+) +BGP|^ +(Neighbor (?:address|AS): .*|Source address: .*|Channel .*)/.exec(line),
      )
      .flatMap((found) => found?.[1] ?? found?.[2] ?? []),
    tunnels: Object.fromEntries(tunnels),
    owned: (JSON.parse(owned) as readonly string[]).toSorted(),
    firewall: withoutRates(firewall),
    leftovers: [
      ...(current === confirmed ? [] : [`current shows ${current}, confirmed ${confirmed}`]),
      ...spareFiles.filter((name) => !(name in files)),
      ...slots.filter((name) => !["a", "b", "current", "confirmed"].includes(name)),
      ...stateFiles.filter((name) => !ownFile.test(name)),
    ],
  };
}

/** Prints the state of the node's kernel, BIRD and folders, without values that change with time. */
export async function printState({ host, birdDir, birdConfig }: LabNode): Promise<string> {
  const control = birdConfig.replace("bird.conf", "bird.ctl");
  const parts = await runAll(host, [
    "ip address; ip route show table all; ip -6 route show table all; wg show all dump; ls /run/wireguard",
    printFirewall,
    `birdc -s ${control} show protocols`,
    `cd ${birdDir}/..; find peerdeck/*/ state -print -type f -exec cat {} +`,
  ]);
  return withoutRates(parts.join("\n").replaceAll(/\d\d:\d\d:\d\d\.\d+/g, "<time>"));
}

/**
 * Reads the state when no handshake is being restarted: for a moment, the tunnel then has no peer, and there is a file for
 * `wg` to read.
 */
export function settledState(host: LabHost): Promise<RouterState> {
  return eventually(
    () => routerState(host),
    ({ leftovers, tunnels }) =>
      leftovers.length === 0 && Object.values(tunnels).every(({ peers }) => peers?.length === 1),
  );
}

export interface ConnectionState {
  /** Milliseconds since midnight when the session came up; null while it is not Established. */
  readonly since: number | null;
  readonly handshake: number;
  readonly rxBytes: number;
}

/** Reads the values that a tunnel and its session lose when they are disrupted. */
export async function connectionState(
  host: LabHost,
  name: string,
  session = name,
  socket = path.join(host.folder, "bird.ctl"),
): Promise<ConnectionState> {
  const commands = [`birdc -s ${socket} show protocols ${session}`, "wg show all dump"];
  const [shown = "", dump = ""] = await runAll(host, commands);
  const peer = parseDump(dump).get(name)?.peers[0];
  return {
    since: establishedSince(shown),
    handshake: peer?.latestHandshake ?? 0,
    rxBytes: peer?.rxBytes ?? 0,
  };
}

/** Waits until a tunnel has a handshake, and its session is Established. */
export const waitUntilEstablished = (...of: Parameters<typeof connectionState>) =>
  eventually(
    () => connectionState(...of),
    ({ since, handshake }) => since !== null && handshake > 0,
  );

export interface ProtocolState {
  /** Its kind, its state and BIRD's text. */
  readonly state: string;
  /** When it got this state, in milliseconds since midnight. */
  readonly since: number;
}

/** Returns the protocols in the output of `show protocols` by their names. */
export function readProtocols(shown: string): ReadonlyMap<string, ProtocolState> {
  const lines = shown.matchAll(/^(\S+) +(\S+) +\S+ +(\S+) +(\d+):(\d+):([\d.]+) *(.*?) *$/gm);
  return new Map(
    Array.from(lines, ([, name = "", kind, state, hours, minutes, seconds, text]) => [
      name,
      {
        state: `${kind} ${state} ${text}`,
        since: ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
      },
    ]),
  );
}

/** Returns when the one session in the output of `show protocols` came up; null while it is not Established. */
export function establishedSince(shown: string): number | null {
  const [session] = readProtocols(shown).values();
  return session?.state === "BGP up Established" ? session.since : null;
}

/**
 * BIRD computes the moment from two clocks, which it reads one after the other, so a busy machine moves it by a few hundred
 * milliseconds. A session that was lost cannot come up within a second: the participant waits that long to connect.
 */
const sameMomentMs = 1000;

/** Whether two readings of a time of BIRD mean the same moment. */
export function isSameMoment(before: number, after: number): boolean {
  return Math.abs(before - after) < sameMomentMs;
}

/** Whether two readings of `establishedSince` mean the same session. */
export function isSameSession(before: number | null, after: number | null): boolean {
  return before !== null && after !== null && isSameMoment(before, after);
}

/** Returns how a connection was disrupted between two readings; empty if it was not. */
export function findDisruptions(before: ConnectionState, after: ConnectionState): readonly string[] {
  return [
    ...(isSameSession(before.since, after.since)
      ? []
      : [`the session came up at ${before.since}, and again at ${after.since}`]),
    ...(after.handshake >= before.handshake ? [] : ["the handshake was lost"]),
    ...(after.rxBytes >= before.rxBytes ? [] : ["the tunnel counts from 0 again"]),
  ];
}

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).toSorted();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(folder, name), "utf8")] as const),
    ),
  );
}
