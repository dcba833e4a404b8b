import { hostHealth } from "../drivers/linux/host-health.ts";
import type { BirdControl, BirdReply } from "../drivers/bird/control-socket.ts";
import type { Run } from "../processes.ts";

export interface Machine {
  readonly bird: BirdControl;
  /** The text of bird.conf; null where it cannot be read. */
  readonly birdConfig: string | null;
  readonly birdDir: string;
}

const symbols = ["peerdeck_import", "peerdeck_export", "peerdeck_peer"];
const probe = "peerdeck-check";

/** What is missing of BIRD and in the kernel's settings, each a sentence that says what mends it. */
export async function routerFaults(machine: Machine): Promise<readonly string[]> {
  const { issues } = await hostHealth(machine.bird);
  const bird = await birdFaults(machine).catch(() => []);
  return [...issues, ...bird];
}

/** Tries to make a tunnel, since a module that is loaded on demand shows nowhere before. Needs to be root. */
export async function wireguardFaults(run: Run): Promise<readonly string[]> {
  const added = await run("ip", ["link", "add", "dev", probe, "type", "wireguard"]);
  if (added.code === 0) {
    await run("ip", ["link", "delete", "dev", probe]);
    return [];
  }
  if (/not permitted/.test(added.stderr)) {
    return ["WireGuard was not tried, since this user may make no interface. Run setup as root."];
  }
  return run("wireguard-go", ["--version"]).then(
    () => [],
    () => ["The kernel has no WireGuard, and wireguard-go is not there: apt-get install wireguard-go"],
  );
}

async function birdFaults({ bird, birdConfig, birdDir }: Machine): Promise<readonly string[]> {
  const known = namesOf(await bird("show symbols"));
  const missing = symbols.filter((name) => !known.has(name));
  if (missing.length > 0) {
    return [
      `BIRD does not know ${missing.join(", ")}. Put these lines at the end of /etc/bird/bird.conf, define what ` +
        "the policy names at its top, and run birdc configure:\n" +
        `    include "/etc/bird/peerdeck-policy.conf";\n    include "${birdDir}/current/*.conf";`,
    ];
  }
  const include = `include "${birdDir}/current/*.conf";`;
  if (birdConfig !== null && !birdConfig.includes(include)) {
    return [`bird.conf does not include the peerings. Put this line at its end: ${include}`];
  }
  const empty: string[] = [];
  for (const table of ["dn42_roa4", "dn42_roa6"].filter((name) => known.has(name))) {
    const { text = "" } = (await bird(`show route table ${table} count`)).lines[0] ?? {};
    if (text.startsWith("0 of 0 ")) empty.push(table);
  }
  if (empty.length === 0) return [];
  return [
    `${empty.join(" and ")} ${empty.length === 1 ? "is" : "are"} empty, so every route of ` +
      `${empty.length === 1 ? "that family" : "both families"} is refused. The agent ` +
      "fills them from the sources in [linux.roa] of agent.toml; journalctl -u peerdeck-agent says why it could not.",
  ];
}

/** The symbols that stand for something. */
function namesOf({ lines }: BirdReply): ReadonlySet<string> {
  const pairs = lines.map(({ text }) => text.split(/\s+/));
  return new Set(pairs.flatMap(([name, kind]) => (name && kind !== "undefined" ? [name] : [])));
}
