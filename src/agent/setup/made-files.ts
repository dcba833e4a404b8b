/** The two files that `setup` makes: the agent's configuration, and BIRD's on a machine where nobody wrote one. */
import { type Address, formatAddress, parsePrefix } from "../../domain/prefix.ts";
import type { SetupArguments } from "./setup-arguments.ts";

export function agentToml(given: SetupArguments): string {
  const text = JSON.stringify as (value: string) => string;
  const list = (values: readonly string[]) => `[${values.map(text).join(", ")}]`;
  const source = (family: string, url: string | undefined) =>
    url === undefined ? `# ${family} = "https://…"` : `${family} = ${text(url)}`;
  const host = given.listen.replace(/:[0-9]+$/, "").replace(/^\[(.*)\]$/, "$1");
  return `node = ${text(given.node)}
asn = ${text(given.asn)}
listen = ${text(given.listen)}
# metrics_listen = "127.0.0.1:9341"
state_dir = "/var/lib/peerdeck-agent"
server_fingerprints = ${list(given.servers)} # what the server prints when it starts
router = "linux"

[linux]
addresses = ${list([given.ipv4, given.ipv6])}

# In BIRD's form, fetched every quarter of an hour. Without them every route is refused.
[linux.roa]
${source("ipv4", given.roa4)}
${source("ipv6", given.roa6)}

# The provider's own tunnels, for the map: node = "interface".
[linux.tunnels]

[rules]
# Of all nodes of the provider: no participant can be there.
provider_endpoints = ${list([host, ...given.endpoints])}
provider_prefixes = ${list(given.prefixes)}
`;
}

/** What a node's bird.conf is made of. */
export interface BirdValues {
  readonly asn: string;
  readonly ipv4: Address;
  readonly ipv6: Address;
  readonly prefixes4: readonly string[];
  readonly prefixes6: readonly string[];
}

/** Null where a family has no prefix or no address. */
export function birdValues(asn: string, addresses: readonly Address[], prefixes: readonly string[]) {
  const ipv4 = addresses.find(({ bits }) => bits === 32);
  const ipv6 = addresses.find(({ bits }) => bits === 128);
  const of = (bits: number) => prefixes.filter((prefix) => parsePrefix(prefix)?.bits === bits);
  const [prefixes4, prefixes6] = [of(32), of(128)];
  if (!ipv4 || !ipv6 || prefixes4.length === 0 || prefixes6.length === 0) return null;
  return { asn, ipv4, ipv6, prefixes4, prefixes6 } satisfies BirdValues;
}

/**
 * Fills the values into docs/bird/bird.conf.
 *
 * @throws where the base has no such line, which a changed base might
 */
export function birdConfig(base: string, values: BirdValues): string {
  const ipv4 = formatAddress(values.ipv4);
  const lines: ReadonlyArray<readonly [RegExp, string]> = [
    [/^# A base for [^]*?\n\n/, "# Made by peerdeck-agent setup; yours to change.\n\n"],
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
