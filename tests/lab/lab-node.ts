/** A provider's node in the lab: BIRD with the base configuration of docs/bird, and the driver. */
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { PeeringObservation, RoutedPeering } from "../../src/agent/drivers/router.ts";
import type { FirewallPolicy } from "../../src/agent/drivers/firewall/render.ts";
import type { LinuxRouter, LinuxRouterOptions } from "../../src/agent/drivers/linux/linux-router.ts";
import type { Peering } from "../../src/contract/agent.ts";
import type { Finding } from "../../src/domain/findings/findings.ts";
import { sessionsOf } from "../../src/domain/peering/bgp-sessions.ts";
import { type LabHost, runCommands } from "../../src/lab/hosts/namespaces.ts";
import { eventually } from "./eventually.ts";
import { startNodeProcess } from "./host-process.ts";
import type { NodeCall } from "./node-process.ts";

export interface LabNode extends AsyncDisposable {
  readonly host: LabHost;
  readonly birdDir: string;
  readonly birdConfig: string;
  readonly set: (desired: readonly RoutedPeering[]) => Promise<readonly string[]>;
  readonly ask: <T>(name: keyof LinuxRouter, ...args: readonly string[]) => Promise<T>;
  readonly observe: () => Promise<readonly PeeringObservation[]>;
  /** Kills the driver's process. */
  readonly kill: () => Promise<void>;
}

export interface RejectedSet {
  readonly name: string;
  readonly finding: Finding;
}

/** Sets the peerings. Returns "accepted", or the name of the error and its finding. */
export function trySet(node: LabNode, desired: readonly RoutedPeering[]): Promise<"accepted" | RejectedSet> {
  return node.set(desired).then(
    () => "accepted" as const,
    ({ name, finding }: RejectedSet) => ({ name, finding }),
  );
}

export const refusedFor = (finding: Finding): RejectedSet => ({ name: "RouterRefusedError", finding });
export const busyFor = (finding: Finding): RejectedSet => ({ name: "RouterBusyError", finding });

export const providerAsn = "4242422227";
const bootRule = "src/agent/package/usr/lib/systemd/system/bird.service.d/peerdeck.conf";
const root = path.join(import.meta.dirname, "../..");

/** Writes BIRD's base configuration, with ROAs like `172.20.1.0/26 max 29 as 4242420001`. */
export async function writeNodeConfig(host: LabHost, roas: readonly string[]): Promise<void> {
  const at = (name: string) => path.join(host.folder, name);
  for (const folder of ["roa", "peerdeck/a", "peerdeck/b"]) await mkdir(at(folder), { recursive: true });
  const base = await readFile(path.join(root, "docs/bird/bird.conf"), "utf8");
  await copyFile(path.join(root, "docs/bird/peerdeck-policy.conf"), at("peerdeck-policy.conf"));
  await writeFile(
    at("bird.conf"),
    base
      .replaceAll("/etc/bird/", `${host.folder}/`)
      .replace("log syslog all;", `log "${at("bird.log")}" all;`),
  );
  for (const [file, sign] of [
    ["roa4.conf", "."],
    ["roa6.conf", ":"],
  ] as const) {
    const lines = roas.filter((roa) => roa.includes(sign)).map((roa) => `route ${roa};\n`);
    await writeFile(path.join(at("roa"), file), lines.join(""));
  }
  for (const link of ["current", "confirmed"]) await symlink("a", at(`peerdeck/${link}`));
}

export async function startNodeBird(host: LabHost, roas: readonly string[]): Promise<void> {
  await writeNodeConfig(host, roas);
  // The node's own addresses, which the base configuration uses as source addresses.
  await runCommands(host, ["ip address add 172.20.16.1/32 dev lo", "ip address add fd42:d42::1/128 dev lo"]);
  await startBird(host);
}

async function startBird(host: LabHost): Promise<void> {
  const at = (name: string) => path.join(host.folder, name);
  await host.run("bird", "-c", at("bird.conf"), "-s", at("bird.ctl"), "-P", at("bird.pid"));
}

/** Kills BIRD and starts it again like systemd with the drop-in of the agent's package. */
export async function restartKilledBird(host: LabHost): Promise<void> {
  const at = (name: string) => path.join(host.folder, name);
  const pid = (await readFile(at("bird.pid"), "utf8")).trim();
  await host.run("sh", "-c", `kill -KILL ${pid}`);
  const unit = await readFile(path.join(root, bootRule), "utf8");
  const command = /^ExecCondition=\+\/bin\/sh -c '(.*)'$/m.exec(unit)?.[1] ?? "false";
  await host.run("sh", "-c", command.replace("/etc/bird/", `${host.folder}/`));
  // BIRD does not start while the killed process still responds.
  await eventually(
    () => startBird(host).then(() => "started", String),
    (result) => result === "started",
  );
}

/**
 * Makes BIRD refuse a peering: a protocol of the operator has the name of its first session. Returns a function that
 * removes that protocol.
 */
export async function occupySessionName(
  { folder, run }: Pick<LabHost, "folder" | "run">,
  peering: Peering,
): Promise<() => Promise<void>> {
  const file = path.join(folder, "bird.conf");
  const config = await readFile(file, "utf8");
  const load = async (text: string) => {
    await writeFile(file, text);
    await run("birdc", "-s", path.join(folder, "bird.ctl"), "configure");
  };
  await load(`${config}\nprotocol static ${sessionsOf(peering)[0]?.name} { ipv4; }\n`);
  return () => load(config);
}

/** Returns the driver's options for a host. */
export function routerOptions(
  host: LabHost,
  tunnels: LinuxRouterOptions["tunnels"] = {},
  firewall: Partial<FirewallPolicy> = {},
) {
  const at = (name: string) => path.join(host.folder, name);
  return {
    hasAgent: true,
    addresses: ["172.20.16.1/32", "fd42:d42::1/128"],
    node: host.name,
    providerAsn,
    stateDir: at("state"),
    birdDir: at("peerdeck"),
    birdSocket: at("bird.ctl"),
    tunnels,
    firewall: {
      interfaces: [],
      ownPrefixes: ["172.20.16.0/27", "fd42:d42::/48"],
      agent: { host: "0.0.0.0", port: 4243 },
      servers: ["198.51.100.0/24"],
      allowInput: [],
      acceptReplies: false,
      ...firewall,
    },
  };
}

/** Runs shell commands in one process, and returns the output of each. */
export async function runAll(host: Pick<LabHost, "run">, commands: readonly string[]) {
  return (await runCommands(host, [commands.join("\nprintf '\\f'\n")])).split("\f");
}

export const printFirewall = "nft --stateless list table inet peerdeck";

/** Removes from a printed packet filter what the kernel adds to it when packets arrive. */
export const withoutRates = (filter: string) =>
  filter.replace(/(set (?:icmp_rates|queries[46]) \{[^{}]*)\t\telements = \{[^{}]*\}\n/g, "$1");

export const firewallTable = async ({ run }: LabHost) => withoutRates(await run("sh", "-c", printFirewall));

/** The peerings of the last set of each host, which restarted drivers do not know, as texts by AS. */
const confirmedSets = new WeakMap<LabHost, ReadonlyMap<string, string>>();

export async function openLabNode(
  host: LabHost,
  tunnels: LinuxRouterOptions["tunnels"] = {},
  mayLoadEdits = false,
): Promise<LabNode> {
  const options = { ...routerOptions(host, tunnels), mayLoadEdits, hasAgent: false };
  const driver = startNodeProcess(host, options);
  const call = (request: NodeCall) => driver.call(request);
  const ask = <T>(name: keyof LinuxRouter, ...args: readonly string[]) =>
    call({ call: "ask", name, args }) as Promise<T>;
  async function set(desired: readonly RoutedPeering[]) {
    const running = confirmedSets.get(host) ?? new Map<string, string>();
    const texts = new Map(desired.map(({ peering }) => [peering.asn, JSON.stringify(peering)]));
    const requested = Array.from(texts.keys()).filter((asn) => texts.get(asn) !== running.get(asn));
    const steps = await call({ call: "set", desired, requested });
    confirmedSets.set(host, texts);
    return steps as readonly string[];
  }
  return {
    host,
    birdDir: options.birdDir,
    birdConfig: path.join(host.folder, "bird.conf"),
    set,
    ask,
    observe: () => ask("observe"),
    kill: driver.kill,
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
