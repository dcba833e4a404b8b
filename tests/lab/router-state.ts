/** What a node's files, kernel and BIRD hold, in texts that tell two generations apart and nothing else. */
import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { parseLinks } from "../../src/agent/drivers/wireguard/addresses.ts";
import { parseDump } from "../../src/agent/drivers/wireguard/parse-dump.ts";
import type { LabHost } from "../../src/lab/namespaces.ts";

/** A generation as it is when it is whole: every part says the same. */
export interface RouterState {
  readonly files: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  readonly tunnels: Readonly<Record<string, unknown>>;
  readonly owned: readonly string[];
  /** What must not be there: leftovers, links that differ, files of nobody. */
  readonly remains: readonly string[];
}

const birdc = (host: LabHost, ...command: readonly string[]) =>
  host.run("birdc", "-s", path.join(host.folder, "bird.ctl"), ...command);

/** The files that BIRD would start with. */
export async function confirmedFiles({ folder }: LabHost): Promise<RouterState["files"]> {
  return filesIn(path.join(folder, "peerdeck/confirmed"));
}

export async function routerState(host: LabHost): Promise<RouterState> {
  const at = (name: string) => path.join(host.folder, name);
  const [files, shown, links, dump, owned, slots, kept, current, confirmed] = await Promise.all([
    confirmedFiles(host),
    birdc(host, "show", "protocols", "all"),
    host.run("ip", "-json", "address", "show"),
    host.run("wg", "show", "all", "dump"),
    readFile(at("state/interfaces.json"), "utf8"),
    readdir(at("peerdeck")),
    readdir(at("state")),
    readlink(at("peerdeck/current")),
    readlink(at("peerdeck/confirmed")),
  ]);
  const spare = Object.keys(await filesIn(at(`peerdeck/${confirmed === "a" ? "b" : "a"}`)));
  const states = parseDump(dump);
  const tunnels = Array.from(parseLinks(links))
    .filter(([name]) => name.startsWith("dn42_"))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, link]) => {
      const state = states.get(name);
      const peers = state?.peers.map(({ publicKey, endpoint, allowedIps, keepalive }) => ({
        publicKey,
        endpoint,
        allowedIps: allowedIps.toSorted(),
        keepalive,
      }));
      const addresses = link.addresses.toSorted();
      return [name, { up: link.up, addresses, listenPort: state?.listenPort, key: state?.privateKey, peers }];
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
    remains: [
      ...(current === confirmed ? [] : [`current shows ${current}, confirmed ${confirmed}`]),
      ...spare.filter((name) => !(name in files)),
      ...slots.filter((name) => !["a", "b", "current", "confirmed"].includes(name)),
      ...kept.filter((name) => !["interfaces.json", "state.json", "wireguard.key"].includes(name)),
    ],
  };
}

export interface Standing {
  /** Milliseconds since midnight when the session came up; null while it is not Established. */
  readonly since: number | null;
  readonly handshake: number;
  readonly rxBytes: number;
}

/** What a tunnel and its session lose when they are disturbed. */
export async function standing(host: LabHost, name: string, session = name): Promise<Standing> {
  const [shown, dump] = await Promise.all([
    birdc(host, "show", "protocols", session),
    host.run("wg", "show", "all", "dump"),
  ]);
  const [, hours, minutes, seconds] =
    /BGP +\S+ +up +([0-9]+):([0-9]+):([0-9.]+) +Established/.exec(shown) ?? [];
  const peer = parseDump(dump).get(name)?.peers[0];
  return {
    since:
      seconds === undefined ? null : ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
    handshake: peer?.latestHandshake ?? 0,
    rxBytes: peer?.rxBytes ?? 0,
  };
}

/** BIRD tells the same moment up to a few milliseconds apart. */
const sameMomentMs = 200;

/** In what way it was disturbed between two looks; empty where it was not. */
export function disturbance(before: Standing, after: Standing): readonly string[] {
  const apart = Math.abs((before.since ?? Number.NaN) - (after.since ?? Number.NaN));
  return [
    ...(apart < sameMomentMs ? [] : [`the session came up at ${before.since}, and again at ${after.since}`]),
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
