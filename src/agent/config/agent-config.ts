import { parse, TomlError } from "smol-toml";
import * as v from "valibot";
import { isAsn } from "../../domain/asn.ts";
import { canonicalizeHost } from "../../domain/host-name.ts";
import { parsePort } from "../../domain/port.ts";
import { formatAddress, formatPrefix, parseAddress, parsePrefix } from "../../domain/prefix.ts";
import { parseFingerprint } from "../../mtls/tls-identity.ts";

/**
 * The configuration file is invalid; the message names the file, the line if known, the key and the expected
 * value.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** A string that `parseText` parses; `expected` completes the sentence "must be …". */
function parsed<T>(parseText: (text: string) => T | null, expected: string) {
  const message = `must be ${expected}`;
  return v.pipe(
    v.string(message),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      const value = parseText(dataset.value);
      if (value !== null) return value;
      addIssue({ message });
      return NEVER;
    }),
  );
}

const text = (message: string) => v.pipe(v.string(message), v.nonEmpty(message));

const providerEndpoint = parsed((given) => {
  const address = parseAddress(given);
  return address ? formatAddress(address) : canonicalizeHost(given);
}, "an address or hostname");

/** The text of a prefix, also if an address without a length is given. */
const addressOrPrefix = parsed((given) => {
  const address = parseAddress(given);
  const range = address ? { ...address, length: address.bits } : parsePrefix(given);
  return range && formatPrefix(range);
}, 'an address or a prefix with host bits zero, like "192.0.2.10" or "2001:db8::/64"');

const minutes = "must be minutes, 1 to 1440";
/** ROAs decide which routes BIRD accepts, so they must not be modifiable in transit. */
const roaSource = parsed(
  (given) => (isRoaSource(given) ? given : null),
  'an "https://…" URL (http:// only on this machine) or the absolute path of a file',
);
const listen = parsed(parseListen, '"address:port", like "192.0.2.1:4243" or "[2001:db8::1]:4243"');

const portRange = "must be a port, 1 to 65535";

const bareAddress = parsed((given) => {
  const address = parseAddress(given);
  return address && formatAddress(address);
}, "an address without a length");

/** A tunnel of the provider to another node. Only with the address of its other end can its round trip be measured. */
const tunnel = v.union(
  [
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.transform((name) => ({ interface: name, address: null })),
    ),
    v.strictObject({ interface: v.pipe(v.string(), v.nonEmpty()), address: bareAddress }),
  ],
  'must be an interface name or a table like { interface = "wg-per01", address = "fe80::1" }',
);

/** What participants' packets may reach, besides other participants and the nodes in `[linux.tunnels]`. */
const firewall = v.strictObject(
  {
    /** Further links between nodes, and interfaces to networks of the provider. */
    interfaces: v.optional(
      v.array(
        parsed(
          (given) => (isInterfaceName(given) ? given : null),
          "an interface name of at most 15 characters",
        ),
        "must be a list of interface names",
      ),
      [],
    ),
    /** The node's own services for participants, like the network's resolver. */
    allow_input: v.optional(
      v.array(
        v.strictObject(
          {
            protocol: v.picklist(["tcp", "udp"], 'must be "tcp" or "udp"'),
            port: v.pipe(
              v.number(portRange),
              v.integer(portRange),
              v.minValue(1, portRange),
              v.maxValue(65_535, portRange),
            ),
            /** All addresses of the node when omitted. */
            address: v.optional(bareAddress),
          },
          'must be a table like { protocol = "udp", port = 53 }',
        ),
        "must be a list",
      ),
      [],
    ),
    /** Whether replies to connections that the node opens through participants' tunnels are accepted. */
    accept_replies: v.optional(v.boolean("must be true or false"), false),
  },
  "must be a table",
);

const schema = v.strictObject({
  /** The node's name in the provider profile. */
  node: text("must be the node's name"),
  /** The provider's AS number. */
  asn: parsed(
    (given) => (isAsn(given) ? given : null),
    'an AS number in quotes without "AS", like "4242422227"',
  ),
  listen,
  /** Where metrics are served over plain HTTP; not served when omitted. */
  metrics_listen: v.optional(listen),
  /** The folder for the agent's identity and the applied state. */
  state_dir: text("must be a folder"),
  /**
   * Fingerprints of servers that may connect. Empty on the very first start, before the server's fingerprint
   * is known.
   */
  server_fingerprints: v.array(
    parsed(parseFingerprint, "SHA-256 fingerprints, 64 hexadecimal digits"),
    "must be a list",
  ),
  /** Where servers connect from. Empty means any address, except through participants' tunnels. */
  server_addresses: v.optional(v.array(addressOrPrefix, "must be a list of addresses"), []),
  router: v.picklist(["simulated", "linux"], 'must be "linux" or "simulated"'),
  /** Settings of a `linux` router; a `simulated` one ignores them. */
  linux: v.optional(
    v.strictObject(
      {
        /** The folder whose `current/*.conf` bird.conf includes. */
        bird_dir: v.optional(text("must be a folder"), "/etc/bird/peerdeck"),
        bird_socket: v.optional(text("must be a path"), "/run/bird/bird.ctl"),
        /**
         * Whether a participant's change also loads changes of bird.conf that BIRD has not loaded yet. If not, it waits.
         */
        load_bird_conf_changes: v.optional(v.boolean("must be true or false"), false),
        /** The node's own addresses. The agent adds them to the loopback interface at startup. */
        addresses: v.optional(
          v.array(
            parsed(parseAddress, 'addresses without a length, like "172.20.16.1"'),
            "must be a list of addresses",
          ),
          [],
        ),
        /** The provider's own tunnels, by the node at their other end. */
        tunnels: v.optional(v.record(v.string(), tunnel, "must be a table"), {}),
        firewall: v.optional(firewall, {}),
        /** Sources of the ROAs that the agent updates for BIRD; without a source it updates none. */
        roa: v.optional(
          v.strictObject(
            {
              ipv4: v.optional(roaSource),
              ipv6: v.optional(roaSource),
              every_minutes: v.optional(
                v.pipe(
                  v.number(minutes),
                  v.integer(minutes),
                  v.minValue(1, minutes),
                  v.maxValue(1440, minutes),
                ),
                15,
              ),
              /** The folder whose `roa4.conf` and `roa6.conf` bird.conf includes. */
              dir: v.optional(text("must be a folder"), "/etc/bird/roa"),
            },
            "must be a table",
          ),
          {},
        ),
      },
      "must be a table",
    ),
    {},
  ),
  /** Names of the provider's other nodes, to which a simulated router reports links. */
  links: v.optional(v.array(text("must be node names"), "must be a list"), []),
  /** How participants' hostnames are resolved: by the system's name servers or by the simulation. */
  resolver: v.optional(v.picklist(["system", "simulated"], 'must be "system" or "simulated"'), "system"),
  log_level: v.optional(
    v.picklist(["debug", "info", "warn", "error"], 'must be "debug", "info", "warn" or "error"'),
    "info",
  ),
  rules: v.optional(
    v.strictObject(
      {
        /** Whether participants' endpoints may be in documentation ranges, as in a lab. */
        allow_documentation: v.optional(v.boolean("must be true or false"), false),
        /** Addresses and hostnames of the provider's nodes. Participants cannot use them as endpoints. */
        provider_endpoints: v.optional(v.array(providerEndpoint, "must be a list"), []),
        /**
         * The provider's prefixes. Participants cannot use addresses in them as endpoints or tunnel
         * addresses.
         */
        provider_prefixes: v.optional(
          v.array(parsed(parsePrefix, 'prefixes like "172.20.0.0/24", host bits zero'), "must be a list"),
          [],
        ),
      },
      "must be a table",
    ),
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
  const result = v.safeParse(schema, parseToml(toml, path));
  if (result.success) return result.output;
  const messages = result.issues.map((issue) => {
    const keys = (issue.path ?? []).map(({ key }) => key);
    const names = keys.filter((key) => typeof key === "string");
    const line = findTomlLine(toml, names);
    return `${path}${line === null ? "" : `:${line}`}: ${names.join(".")} ${describeIssue(issue)}.`;
  });
  throw new ConfigError(messages.join("\n"));
}

function parseToml(toml: string, path: string): unknown {
  try {
    return parse(toml);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.split("\n");
    throw new ConfigError(`${path}:${error.line}:${error.column}: ${reason}.`, { cause: error });
  }
}

/** Describes missing and unknown keys, for which valibot's own messages do not fit. */
function describeIssue(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === "schema" && issue.type === "strict_object") {
    if (issue.expected === "never") return "is not a key of this file";
    if (issue.received === "undefined") return "is missing";
  }
  return issue.message;
}

/** Whether a name can be that of an interface, and be written between quotes. */
export function isInterfaceName(name: string): boolean {
  return /^[A-Za-z0-9_.@+-]{1,15}$/.test(name);
}

function isRoaSource(given: string): boolean {
  if (given.startsWith("/")) return true;
  const url = URL.parse(given);
  const isLocal = url && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLocal === true);
}

function parseListen(given: string): { readonly host: string; readonly port: number } | null {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):([0-9]+)$/.exec(given);
  const address = match && parseAddress(match[1] ?? match[2] ?? "");
  const port = match && (match[3] === "0" ? 0 : parsePort(match[3] ?? ""));
  if (!address || port === null || (address.bits === 128) !== (match[1] !== undefined)) return null;
  return { host: formatAddress(address), port };
}

/**
 * Finds the line of a key in a TOML text, counted from 1: its table's line if the key is missing, null if
 * neither is found. Reads `[table]` headers and `key = …` lines; an inline table counts as one line.
 *
 * @param path table names, then the key
 */
function findTomlLine(toml: string, path: readonly string[]): number | null {
  const target = path.join(".");
  let table = "";
  let nearest: number | null = null;
  for (const [index, line] of toml.split("\n").entries()) {
    const header = /^\s*\[([^[\]]+)\]/.exec(line)?.[1];
    const key = /^\s*([A-Za-z0-9_.-]+)\s*=/.exec(line)?.[1];
    if (header !== undefined) table = `${header.trim()}.`;
    const here = header === undefined ? `${table}${key}` : header.trim();
    if (here === target) return index + 1;
    if (target.startsWith(`${here}.`)) nearest = index + 1;
  }
  return nearest;
}
