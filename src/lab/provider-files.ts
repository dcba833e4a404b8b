/** The files of the provider's server. */
import { join } from "node:path";
import { agentPort } from "./node-files.ts";
import { nodes, provider } from "./network.ts";

export const registryFolder = join(import.meta.dirname, "../demo/registry");

/** @param fingerprints of the agents, by node */
export function profileFile(
  publicUrl: string,
  mailUrl: string,
  fingerprints: ReadonlyMap<string, string>,
): string {
  const tables = nodes.map(
    ({ name, place, lat, lon, publicIp, ipv4, linkLocal }) => `
[[nodes]]
name = "${name}"
place = "${place}"
lat = ${lat}
lon = ${lon}
public_ip = "${publicIp}"
tunnel_ipv4 = "${ipv4}"
link_local = "${linkLocal}"

[nodes.agent]
url = "https://${publicIp}:${agentPort}"
fingerprint = "${fingerprints.get(name)}"
`,
  );
  return `name = "Peerdeck Lab"
domain = "lab.dn42"
asn = "${provider.asn}"
public_url = "${publicUrl}"
support_address = "support@lab.example"
prefixes = ["${provider.prefixes.ipv4}", "${provider.prefixes.ipv6}"]
allow_documentation = true

[registry]
path = "${registryFolder}"
max_age_days = 36500

[mail]
url = "${mailUrl}"
from = "Peerdeck Lab <peering@lab.example>"
${tables.join("")}`;
}
