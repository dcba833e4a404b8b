/**
 * The configuration files of the provider: BIRD's, from the base in docs/bird, the agents', the server's, and
 * the ROAs of its registry.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findNodePlan, linkInterface, type NodePlan, neighboursOf, nodes, provider } from "./network.ts";

export const agentPort = 4243;
/** The port of an agent's metrics, on its node's loopback interface. */
export const metricsPort = 9100;
const root = join(import.meta.dirname, "../..");

/** Renders `/etc/bird/bird.conf` as described in docs/nodes.md, and the part that connects the nodes. */
export async function renderBirdConfig(node: NodePlan): Promise<string> {
  const base = await readFile(join(root, "docs/bird/bird.conf"), "utf8");
  const filled = base
    .replaceAll("172.20.16.0/27", provider.prefixes.ipv4)
    .replaceAll("fd42:d42::/48", provider.prefixes.ipv6)
    .replaceAll("172.20.16.1", node.ipv4)
    .replaceAll("fd42:d42::1", node.ipv6)
    .replace("log syslog all;", 'log "/run/bird/bird.log" all;');
  return `${filled}\n${renderInterior(node)}`;
}

/**
 * Renders what a provider with several nodes also needs: an interior routing protocol for their addresses,
 * and iBGP.
 */
function renderInterior(node: NodePlan): string {
  const others = nodes.filter(({ name }) => name !== node.name);
  return `
protocol direct lab_own {
    interface "lo";
    ipv4;
    ipv6;
}

protocol babel lab_interior {
    randomize router id;
    interface "${linkInterface("*")}" {
        type wired;
        hello interval 1 s;
        update interval 4 s;
    };
    ipv4 { import all; export where source ~ [ RTS_DEVICE, RTS_BABEL ]; };
    ipv6 { import all; export where source ~ [ RTS_DEVICE, RTS_BABEL ]; };
}

template bgp lab_interior_bgp {
    local ${node.ipv6} as OWN_AS;
    connect delay time 1;
    connect retry time 2;
    error wait time 1, 10;
    ipv4 { extended next hop; next hop self; import all; export where source = RTS_BGP; };
    ipv6 { next hop self; import all; export where source = RTS_BGP; };
}
${others
  .map(({ name, ipv6 }) => `protocol bgp lab_${name} from lab_interior_bgp { neighbor ${ipv6} as OWN_AS; }\n`)
  .join("")}`;
}

export function renderAgentConfig(
  node: NodePlan,
  { stateDir, serverFingerprint }: { readonly stateDir: string; readonly serverFingerprint: string },
): string {
  const tunnels = neighboursOf(node.name).map((other) => {
    const { ipv4 } = findNodePlan(other);
    return `${other} = { interface = "${linkInterface(other)}", address = "${ipv4}" }\n`;
  });
  return `node = "${node.name}"
asn = "${provider.asn}"
listen = "${node.publicIp}:${agentPort}"
state_dir = "${stateDir}"
server_fingerprints = ["${serverFingerprint}"]
router = "linux"
metrics_listen = "127.0.0.1:${metricsPort}"

[linux]
addresses = ["${node.ipv4}", "${node.ipv6}"]

[linux.tunnels]
${tunnels.join("")}
[rules]
allow_documentation = true
provider_prefixes = [${quoted(Object.values(provider.prefixes))}]
`;
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

export const registryFolder = join(import.meta.dirname, "../demo/registry");

/** The nodes are not in it: they join. */
export function renderProfile(publicUrl: string, mailUrl: string): string {
  return `name = "Peerdeck Lab"
domain = "lab.dn42"
asn = "${provider.asn}"
public_url = "${publicUrl}"
support_address = "support@lab.example"
prefixes = ["${provider.prefixes.ipv4}", "${provider.prefixes.ipv6}"]
allow_documentation = true

[publish]
peerings = true
link_latency = true

[registry]
path = "${registryFolder}"
max_age_days = 36500

[mail]
url = "${mailUrl}"
from = "Peerdeck Lab <peering@lab.example>"
`;
}

/** Renders roa4.conf (from `route`) or roa6.conf (from `route6`) from a registry's objects. */
export async function renderRoas(registry: string, objects: "route" | "route6"): Promise<string> {
  const folder = join(registry, "data", objects);
  const names = (await readdir(folder)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) => roasOf(text, objects)).join("");
}

function roasOf(text: string, objects: "route" | "route6"): readonly string[] {
  const values = (key: string) =>
    Array.from(text.matchAll(new RegExp(`^${key}: +(\\S+)`, "gm")), ([, value = ""]) => value);
  const [prefix = ""] = values(objects);
  const longest = values("max-length")[0] ?? (objects === "route" ? 29 : 64);
  return values("origin").map((origin) => `route ${prefix} max ${longest} as ${origin.replace("AS", "")};\n`);
}
