/** The files of a provider's node: BIRD's, from the base that docs/bird offers, and the agent's. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { linkInterface, type NodePlan, neighboursOf, nodes, provider } from "./network.ts";

export const agentPort = 4243;
const root = join(import.meta.dirname, "../..");

/** `/etc/bird/bird.conf`, filled in as docs/nodes.md says, and an include for what joins the nodes. */
export async function birdConfig(node: NodePlan): Promise<string> {
  const base = await readFile(join(root, "docs/bird/bird.conf"), "utf8");
  const filled = base
    .replaceAll("172.20.16.0/27", provider.prefixes.ipv4)
    .replaceAll("fd42:d42::/48", provider.prefixes.ipv6)
    .replaceAll("172.20.16.1", node.ipv4)
    .replaceAll("fd42:d42::1", node.ipv6)
    .replace("log syslog all;", 'log "/run/bird/bird.log" all;');
  return `${filled}\n${providersOwn(node)}`;
}

/** What a provider with several nodes has beside: their addresses by an interior protocol, routes by iBGP. */
function providersOwn(node: NodePlan): string {
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

export function agentConfig(
  node: NodePlan,
  { stateDir, serverFingerprint }: { readonly stateDir: string; readonly serverFingerprint: string },
): string {
  const tunnels = neighboursOf(node.name).map((other) => `${other} = "${linkInterface(other)}"\n`);
  return `node = "${node.name}"
asn = "${provider.asn}"
listen = "${node.publicIp}:${agentPort}"
state_dir = "${stateDir}"
server_fingerprints = ["${serverFingerprint}"]
router = "linux"

[linux.tunnels]
${tunnels.join("")}
[rules]
allow_documentation = true
provider_endpoints = [${quoted([provider.publicIp, ...nodes.map(({ publicIp }) => publicIp)])}]
provider_prefixes = [${quoted(Object.values(provider.prefixes))}]
`;
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}
