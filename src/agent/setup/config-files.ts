/**
 * The two files that `setup` and `join` write: the agent's configuration, and BIRD's on a machine without one of its
 * own.
 */
import { type Address, formatAddress, parsePrefix } from "../../domain/prefix.ts";
import type { SetupArguments } from "./setup-arguments.ts";

export function renderAgentConfig(setupArguments: SetupArguments, stateDir: string): string {
  const text = JSON.stringify as (value: string) => string;
  const list = (values: readonly string[]) => `[${values.map(text).join(", ")}]`;
  const source = (family: string, url: string | undefined) =>
    url === undefined ? `# ${family} = "https://…"` : `${family} = ${text(url)}`;
  const host = setupArguments.listen.replace(/:[0-9]+$/, "").replace(/^\[(.*)\]$/, "$1");
  return `node = ${text(setupArguments.node)}
asn = ${text(setupArguments.asn)}
listen = ${text(setupArguments.listen)}
# metrics_listen = "127.0.0.1:9341"
state_dir = ${text(stateDir)}
server_fingerprints = ${list(setupArguments.servers)} # peerdeck fingerprint prints it on the server
server_addresses = ${list(setupArguments.serverAddresses)} # where the server connects from; empty: the server tells
router = "linux"

[linux]
addresses = ${list([setupArguments.ipv4, setupArguments.ipv6])}

# Participants reach each other, [linux.tunnels], and nothing else. See docs/nodes.md, "Packet filter".
[linux.firewall]
# interfaces = ["eth1"]
# allow_input = [{ protocol = "udp", port = 53, address = ${text(setupArguments.ipv4)} }]

# In BIRD's syntax, fetched every 15 minutes. Without ROAs every route is rejected.
[linux.roa]
${source("ipv4", setupArguments.roa4)}
${source("ipv6", setupArguments.roa6)}

# The provider's own tunnels: node = "interface". Participants' packets are forwarded to and from them.
# With an address, its round trip is measured: node = { interface = "wg-node", address = "fe80::1" }
[linux.tunnels]

[rules]
# Participants cannot use these endpoints, nor those of the provider's other nodes, which the server tells.
provider_endpoints = ${list([...new Set([host, ...setupArguments.endpoints])])}
provider_prefixes = ${list(setupArguments.prefixes)}
${setupArguments.allowDocumentation ? "" : "# "}allow_documentation = true # for labs
`;
}

/** The values of a node's bird.conf. */
export interface BirdValues {
  readonly asn: string;
  readonly ipv4: Address;
  readonly ipv6: Address;
  readonly prefixes4: readonly string[];
  readonly prefixes6: readonly string[];
}

/** Returns null if an address family has no prefix or no address. */
export function parseBirdValues(asn: string, addresses: readonly Address[], prefixes: readonly string[]) {
  const ipv4 = addresses.find(({ bits }) => bits === 32);
  const ipv6 = addresses.find(({ bits }) => bits === 128);
  const withBits = (bits: number) => prefixes.filter((prefix) => parsePrefix(prefix)?.bits === bits);
  const [prefixes4, prefixes6] = [withBits(32), withBits(128)];
  if (!ipv4 || !ipv6 || prefixes4.length === 0 || prefixes6.length === 0) return null;
  return { asn, ipv4, ipv6, prefixes4, prefixes6 } satisfies BirdValues;
}

/**
 * Inserts the values into docs/bird/bird.conf.
 *
 * @throws if the base lacks one of the lines
 */
export function renderBirdConfig(base: string, values: BirdValues): string {
  const ipv4 = formatAddress(values.ipv4);
  const lines: ReadonlyArray<readonly [RegExp, string]> = [
    [/^# A base for [^]*?\n\n/, "# Written by peerdeck-agent. You can edit this file.\n\n"],
    [/^router id .*$/m, `router id ${ipv4};`],
    [/^define OWN_AS = .*$/m, `define OWN_AS = ${values.asn};`],
    [/^define OWN_NETS_V4 = .*$/m, `define OWN_NETS_V4 = [ ${nets(values.prefixes4)} ];`],
    [/^define OWN_NETS_V6 = .*$/m, `define OWN_NETS_V6 = [ ${nets(values.prefixes6)} ];`],
    [/^define OWN_IPV4 = .*$/m, `define OWN_IPV4 = ${ipv4};`],
    [/^define OWN_IPV6 = .*$/m, `define OWN_IPV6 = ${formatAddress(values.ipv6)};`],
    [/^ {4}route [0-9.]+\/.*$/m, routes(values.prefixes4)],
    [/^ {4}route [0-9a-f]*:.*$/m, routes(values.prefixes6)],
  ];
  let text = base;
  for (const [line, filled] of lines) {
    if (!line.test(text)) throw new Error(`bird.conf has no line ${line.source}`);
    text = text.replace(line, filled);
  }
  return text;
}

function nets(prefixes: readonly string[]): string {
  return prefixes.map((prefix) => `${prefix}+`).join(", ");
}

function routes(prefixes: readonly string[]): string {
  return prefixes.map((prefix) => `    route ${prefix} reject;`).join("\n");
}
