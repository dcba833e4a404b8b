import { join } from "node:path";
import { describeToOperator } from "../../domain/findings/findings.ts";
import type { AgentConfig } from "../config/agent-config.ts";
import { findDisabledIpv6 } from "../drivers/linux/ipv6-settings.ts";
import { findMachineSettings, readNodeHealth } from "../drivers/linux/node-health.ts";
import type { BirdControl, BirdReply } from "../drivers/bird/control-socket.ts";
import type { ConfigFiles } from "../drivers/bird/included-files.ts";
import { formatPrefix, type Prefix } from "../../domain/prefix.ts";
import type { Run } from "../../system/processes.ts";
import { createStateFile } from "../reconcile/state-file.ts";
import { findVersionProblem, parseBirdVersion } from "./bird-version.ts";

export interface Machine {
  readonly bird: BirdControl;
  /** bird.conf and what it includes; empty if it cannot be read. */
  readonly birdFiles: ConfigFiles;
  readonly birdDir: string;
  readonly roaDir: string;
  /** The provider's AS number. */
  readonly asn: string;
  readonly providerPrefixes: readonly Prefix[];
}

const symbols = ["peerdeck_import", "peerdeck_export", "peerdeck_peer"];
const probeInterface = "peerdeck-check";

export interface RouterChecks {
  /** Each a sentence with how to fix it. */
  readonly problems: readonly string[];
  /** Null if BIRD does not say. */
  readonly birdVersion: string | null;
}

/** Checks BIRD and the kernel's settings. */
export async function checkRouter(machine: Machine): Promise<RouterChecks> {
  const { findings } = await readNodeHealth(machine.bird);
  const settings = await findMachineSettings();
  const birdVersion = await machine.bird("show status").then(parseBirdVersion, () => null);
  const versionProblem = birdVersion === null ? null : findVersionProblem(birdVersion);
  const bird = versionProblem === null ? await checkBird(machine).catch(() => []) : [versionProblem];
  return { problems: [...[...findings, ...settings].map(describeToOperator), ...bird], birdVersion };
}

/**
 * Checks WireGuard by creating a tunnel, because a kernel module that is loaded on demand is not visible
 * before. Needs root.
 */
export async function checkWireguard(run: Run): Promise<readonly string[]> {
  const added = await run("ip", ["link", "add", "dev", probeInterface, "type", "wireguard"]);
  if (added.code === 0) {
    await run("ip", ["link", "delete", "dev", probeInterface]);
    return [];
  }
  if (/not permitted/.test(added.stderr)) {
    return ["WireGuard was not checked because this user cannot create interfaces. Run setup as root."];
  }
  return run("wireguard-go", ["--version"]).then(
    () => [],
    () => ["The kernel has no WireGuard, and wireguard-go is not installed: apt-get install wireguard-go"],
  );
}

/** Checks that the node can use IPv6, if it has IPv6 addresses or peerings that need it. */
export async function checkIpv6({ linux, state_dir, node }: AgentConfig): Promise<readonly string[]> {
  const hasAddresses = linux.addresses.some(({ bits }) => bits === 128);
  // The agent itself reports a state that cannot be read.
  const applied = await createStateFile(state_dir, node)
    .load()
    .catch(() => []);
  const tunnels = applied.flatMap(({ routed }) => routed ?? []);
  return (await findDisabledIpv6(hasAddresses, tunnels)).map(describeToOperator);
}

/** Checks nftables. Needs root. */
export async function checkFirewall(run: Run): Promise<readonly string[]> {
  try {
    const { code, stderr } = await run("nft", ["list", "tables"]);
    const [reason = ""] = stderr.split("\n");
    if (code === 0) return [];
    return [`Participants' packets cannot be filtered, because nftables does not work: ${reason}`];
  } catch {
    return ["Participants' packets are not filtered, because nft is not installed: apt-get install nftables"];
  }
}

/** Checks fping, with which the agent probes tunnels. */
export async function checkProbes(run: Run): Promise<readonly string[]> {
  return run("fping", ["-v"]).then(
    () => [],
    () => ["Loss and latency of tunnels are unknown, because fping is not installed: apt-get install fping"],
  );
}

async function checkBird(machine: Machine): Promise<readonly string[]> {
  const { bird, birdFiles, birdDir, roaDir } = machine;
  const known = parseSymbols(await bird("show symbols"));
  const missing = symbols.filter((name) => !known.has(name));
  if (missing.length > 0) {
    return [
      `BIRD does not know ${missing.join(", ")}. Add these lines to the end of /etc/bird/bird.conf, in this order, ` +
        `and run birdc configure:${birdLines(machine, known)}`,
    ];
  }
  const included = includedPaths(birdFiles);
  const peerings = `${birdDir}/current/*.conf`;
  if (included !== null && !included.includes(peerings)) {
    return [`bird.conf does not include the peerings. Add this line to its end: include "${peerings}";`];
  }
  const empty: RoaType[] = [];
  for (const type of roaTypes.filter((each) => known.has(tableOf(each)))) {
    const { text = "" } = (await bird(`show route table ${tableOf(type)} count`)).lines[0] ?? {};
    if (text.startsWith("0 of 0 ")) empty.push(type);
  }
  if (empty.length === 0) return [];
  const isIncluded = (type: RoaType) =>
    included === null || included.some((path) => path.startsWith(join(roaDir, type)));
  const notIncluded = empty.filter((type) => !isIncluded(type));
  const subject =
    `${empty.map(tableOf).join(" and ")} ${empty.length === 1 ? "is" : "are"} empty, so every route ` +
    `of ${empty.length === 1 ? "that family" : "both families"} is rejected.`;
  if (notIncluded.length > 0) {
    return [
      `${subject} bird.conf does not include the ROAs that the agent keeps in ${roaDir}. Add these lines to its ` +
        "end, and run birdc configure:" +
        notIncluded.map((type) => roaProtocol(type, roaDir)).join(""),
    ];
  }
  return [
    `${subject} The agent loads them from the sources in [linux.roa] of agent.toml; journalctl -u ` +
      "peerdeck-agent shows errors.",
  ];
}

/** BIRD's types of the tables that the policy reads, which are also the beginnings of the names of the agent's files. */
const roaTypes = ["roa4", "roa6"] as const;
type RoaType = (typeof roaTypes)[number];

const tableOf = (type: RoaType) => `dn42_${type}`;

/** Returns the lines of docs/nodes.md that bird.conf lacks. BIRD must read what the policy uses before it. */
function birdLines({ asn, providerPrefixes, birdDir, roaDir }: Machine, known: ReadonlySet<string>): string {
  const nets = (bits: number) =>
    providerPrefixes.flatMap((prefix) => (prefix.bits === bits ? `${formatPrefix(prefix)}+` : [])).join(", ");
  const values = {
    OWN_AS: asn,
    // BIRD rejects the text that the operator has to replace.
    OWN_NETS_V4: `[ ${nets(32) || "your IPv4 prefixes"} ]`,
    OWN_NETS_V6: `[ ${nets(128) || "your IPv6 prefixes"} ]`,
  };
  const definitions = Object.entries(values).filter(([name]) => !known.has(name));
  const unknown = roaTypes.filter((type) => !known.has(tableOf(type)));
  return [
    ...definitions.map(([name, value]) => `\n    define ${name} = ${value};`),
    ...unknown.map((type) => `\n    ${type} table ${tableOf(type)};`),
    ...unknown.map((type) => roaProtocol(type, roaDir)),
    '\n    include "/etc/bird/peerdeck-policy.conf";',
    `\n    include "${birdDir}/current/*.conf";`,
  ].join("");
}

/** BIRD reads an include only at the beginning of a line. */
const roaProtocol = (type: RoaType, roaDir: string) => `
    protocol static peerdeck_${type} {
        ${type} { table ${tableOf(type)}; };
        include "${roaDir}/${type}*.conf";
    }`;

/** Returns the paths that the files include, some with wildcards; null if a file that may include more cannot be read. */
function includedPaths(files: ConfigFiles): readonly string[] | null {
  const paths: string[] = [];
  for (const { includes } of files.values()) {
    if (includes === null) return null;
    paths.push(...includes);
  }
  return files.size === 0 ? null : paths;
}

/** Returns the names of the defined symbols. */
function parseSymbols({ lines }: BirdReply): ReadonlySet<string> {
  const pairs = lines.map(({ text }) => text.split(/\s+/));
  return new Set(pairs.flatMap(([name, kind]) => (name && kind !== "undefined" ? [name] : [])));
}
