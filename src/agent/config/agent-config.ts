import * as v from "valibot";
import { parseAsn } from "../../domain/asn.ts";
import { parsePort } from "../../domain/port.ts";
import { formatAddress, parseAddress, parsePrefix } from "../../domain/prefix.ts";
import { parseFingerprint } from "../../mtls/tls-identity.ts";
import { parseConfigFile } from "../../system/config/config-file.ts";
import {
  choice,
  isWholeNumber,
  list,
  number,
  parsed,
  text,
  yesOrNo,
} from "../../system/config/config-values.ts";
import { canonicalizeEndpoint, canonicalizeRange } from "./address-texts.ts";

const folder = text("a folder", isNotEmpty);

const providerEndpoint = parsed("an address or hostname", canonicalizeEndpoint);

const addressOrPrefix = parsed(
  'an address or a prefix with host bits zero, like "192.0.2.10" or "2001:db8::/64"',
  canonicalizeRange,
);

/** ROAs decide which routes BIRD accepts, so they must not be modifiable in transit. */
const roaSource = text(
  'an "https://…" URL (http:// only on this machine) or the absolute path of a file',
  isRoaSource,
);
const listen = parsed('"address:port", like "192.0.2.1:4243" or "[2001:db8::1]:4243"', parseListen);

const bareAddress = parsed("an address without a length", (given) => {
  const address = parseAddress(given);
  return address && formatAddress(address);
});

/** A tunnel of the provider to another node. Only with the address of its other end can its round trip be measured. */
const tunnel = v.pipe(
  v.union([
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.transform((name) => ({ interface: name, address: null })),
    ),
    v.strictObject({ interface: v.pipe(v.string(), v.nonEmpty()), address: bareAddress }),
  ]),
  v.description('an interface name or a table like { interface = "wg-per01", address = "fe80::1" }'),
);

/** What participants' packets may reach, besides other participants and the nodes in `[linux.tunnels]`. */
const firewall = v.strictObject({
  /** Further links between nodes, and interfaces to networks of the provider. */
  interfaces: list(
    "a list of interface names",
    text("an interface name of at most 15 characters", isInterfaceName),
  ),
  /** The node's own services for participants, like the network's resolver. */
  allow_input: list(
    "a list of tables",
    v.pipe(
      v.strictObject({
        protocol: choice(["tcp", "udp"]),
        port: number("a port, 1 to 65535", (port) => isWholeNumber(port, 1, 65_535)),
        /** All addresses of the node when omitted. */
        address: v.optional(bareAddress),
      }),
      v.description('a table like { protocol = "udp", port = 53 }'),
    ),
  ),
  /** Whether replies to connections that the node opens through participants' tunnels are accepted. */
  accept_replies: v.optional(yesOrNo, false),
});

/** Settings of a `linux` router; a `simulated` one ignores them. */
const linux = v.strictObject({
  /** The folder whose `current/*.conf` bird.conf includes. */
  bird_dir: v.optional(folder, "/etc/bird/peerdeck"),
  bird_socket: v.optional(text("a path", isNotEmpty), "/run/bird/bird.ctl"),
  /** Whether a participant's change also loads changes of bird.conf that BIRD has not loaded yet. If not, it waits. */
  load_bird_conf_changes: v.optional(yesOrNo, false),
  /** The node's own addresses. The agent keeps them on the loopback interface. */
  addresses: list(
    "a list of addresses",
    parsed('an address without a length, like "172.20.16.1"', parseAddress),
  ),
  /** The provider's own tunnels, by the node at their other end. */
  tunnels: v.optional(v.record(v.string(), tunnel), {}),
  firewall: v.optional(firewall, {}),
  /** Sources of the ROAs that the agent updates for BIRD; without a source it updates none. */
  roa: v.optional(
    v.strictObject({
      ipv4: v.optional(roaSource),
      ipv6: v.optional(roaSource),
      every_minutes: v.optional(
        number("minutes, 1 to 1440", (minutes) => isWholeNumber(minutes, 1, 1440)),
        15,
      ),
      /** The folder whose `roa4.conf` and `roa6.conf` bird.conf includes. */
      dir: v.optional(folder, "/etc/bird/roa"),
    }),
    {},
  ),
});

const schema = v.strictObject({
  /** The node's name in the provider profile. */
  node: text("the node's name", isNotEmpty),
  /** The provider's AS number. */
  asn: parsed('an AS number in quotes, like "4242422227"', parseAsn),
  listen,
  /** Where metrics are served over plain HTTP; not served when omitted. */
  metrics_listen: v.optional(listen),
  /** The folder for the agent's identity and the applied state. */
  state_dir: folder,
  /**
   * Fingerprints of servers that may connect. Empty on the very first start, before the server's fingerprint
   * is known.
   */
  server_fingerprints: v.pipe(
    v.array(parsed("a SHA-256 fingerprint, 64 hexadecimal digits", parseFingerprint)),
    v.description("a list of fingerprints"),
  ),
  /**
   * Where servers connect from. Empty: the server tells. Until then every address can connect, except through participants'
   * tunnels.
   */
  server_addresses: list("a list of addresses", addressOrPrefix),
  router: choice(["linux", "simulated"]),
  linux: v.optional(linux, {}),
  /** Names of the provider's other nodes, to which a simulated router reports links. */
  links: list("a list of node names", text("a node's name", isNotEmpty)),
  /** How participants' hostnames are resolved: by the system's name servers or by the simulation. */
  resolver: v.optional(choice(["system", "simulated"]), "system"),
  log_level: v.optional(choice(["debug", "info", "warn", "error"]), "info"),
  rules: v.optional(
    v.strictObject({
      /** Whether participants' endpoints may be in documentation ranges, as in a lab. */
      allow_documentation: v.optional(yesOrNo, false),
      /** Addresses and hostnames that participants cannot use as endpoints, besides those of all nodes, which the server tells. */
      provider_endpoints: list("a list of addresses and hostnames", providerEndpoint),
      /** The provider's prefixes. Participants cannot use addresses in them as endpoints or tunnel addresses. */
      provider_prefixes: list(
        "a list of prefixes",
        parsed('a prefix like "172.20.0.0/24", host bits zero', parsePrefix),
      ),
    }),
    {},
  ),
});

export type AgentConfig = v.InferOutput<typeof schema>;
export type OwnTunnel = v.InferOutput<typeof tunnel>;

/**
 * Parses the agent's TOML file.
 *
 * @param path the file's path, for error messages
 * @throws ConfigError listing every invalid key
 */
export function parseAgentConfig(toml: string, path: string): AgentConfig {
  // The URL of a source may contain a password.
  return parseConfigFile({ text: toml, path, schema, secretKeys: ["linux.roa.ipv4", "linux.roa.ipv6"] });
}

function isNotEmpty(given: string): boolean {
  return given !== "";
}

/** Whether an interface can have the name, and whether the name can be written between quotes. */
export function isInterfaceName(name: string): boolean {
  return /^[A-Za-z0-9_.@+-]{1,15}$/.test(name);
}

export function isRoaSource(given: string): boolean {
  if (given.startsWith("/")) return true;
  const url = URL.parse(given);
  const isLocal = url && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLocal === true);
}

export function parseListen(given: string): { readonly host: string; readonly port: number } | null {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):([0-9]+)$/.exec(given);
  const address = match && parseAddress(match[1] ?? match[2] ?? "");
  const port = match && (match[3] === "0" ? 0 : parsePort(match[3] ?? ""));
  if (!address || port === null || (address.bits === 128) !== (match[1] !== undefined)) return null;
  return { host: formatAddress(address), port };
}
