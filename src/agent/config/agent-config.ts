import { parse, TomlError } from "smol-toml";
import * as v from "valibot";
import { isAsn } from "../../domain/asn.ts";
import { canonicalHost } from "../../domain/host-name.ts";
import { parsePort } from "../../domain/port.ts";
import { formatAddress, parseAddress, parsePrefix } from "../../domain/prefix.ts";
import { parseFingerprint } from "../../identity/fingerprint.ts";
import { lineOf } from "./toml-line.ts";

/** The file has a fault; the message names the file, the line where it is known, the key and what is expected. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** A text that is parsed; `expected` ends the sentence "must be …". */
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
  return address ? formatAddress(address) : canonicalHost(given);
}, "an address or a host name");

const minutes = "must be minutes, 1 to 1440";
/** They decide which routes are believed, so nobody on the way may change them. */
const roaSource = parsed(
  (given) => (isRoaSource(given) ? given : null),
  'an "https://…" URL (http:// on this machine alone) or the absolute path of a file',
);
const listen = parsed(parseListen, '"address:port", like "192.0.2.1:4243" or "[2001:db8::1]:4243"');

const schema = v.strictObject({
  /** The node's name in the provider profile. */
  node: text("must be the node's name"),
  /** The provider's AS number. */
  asn: parsed(
    (given) => (isAsn(given) ? given : null),
    'an AS number in quotes without "AS", like "4242422227"',
  ),
  listen,
  /** Where metrics are served in plain HTTP; nowhere when left out. */
  metrics_listen: v.optional(listen),
  /** Where identity and confirmed state are kept. */
  state_dir: text("must be a folder"),
  /** Who may connect. Empty on the first start, which is how the server's own start learns of the agent. */
  server_fingerprints: v.array(
    parsed(parseFingerprint, "SHA-256 fingerprints, 64 hexadecimal digits"),
    "must be a list",
  ),
  router: v.picklist(["simulated", "linux"], 'must be "linux" or "simulated"'),
  /** What a linux router needs; a simulated one has none of it. */
  linux: v.optional(
    v.strictObject(
      {
        /** The folder whose `current/*.conf` bird.conf includes. */
        bird_dir: v.optional(text("must be a folder"), "/etc/bird/peerdeck"),
        bird_socket: v.optional(text("must be a path"), "/run/bird/bird.ctl"),
        /** The node's own addresses, which the agent puts on the loopback interface when it starts. */
        addresses: v.optional(
          v.array(
            parsed(parseAddress, 'addresses without a length, like "172.20.16.1"'),
            "must be a list of addresses",
          ),
          [],
        ),
        /** The provider's own tunnels: node = "interface". */
        tunnels: v.optional(v.record(v.string(), text("must be names of interfaces"), "must be a table"), {}),
        /** Where ROAs come from that the agent keeps current for BIRD; without a source it keeps none. */
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
  /** Names of the provider's other nodes; a simulated router shows links to them. */
  links: v.optional(v.array(text("must be node names"), "must be a list"), []),
  /** Who resolves participants' names: the machine's name servers, or the simulation. */
  resolver: v.optional(v.picklist(["system", "simulated"], 'must be "system" or "simulated"'), "system"),
  log_level: v.optional(
    v.picklist(["debug", "info", "warn", "error"], 'must be "debug", "info", "warn" or "error"'),
    "info",
  ),
  rules: v.optional(
    v.strictObject(
      {
        /** Whether participants' endpoints may lie in documentation ranges, as in a lab. */
        allow_documentation: v.optional(v.boolean("must be true or false"), false),
        /** Addresses and names of the provider's nodes, where no participant can be. */
        provider_endpoints: v.optional(v.array(providerEndpoint, "must be a list"), []),
        /** The provider's networks, where neither endpoints nor tunnel addresses of participants may lie. */
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

/**
 * Reads the text of an agent's TOML file.
 *
 * @param path where the text comes from, for the error
 */
export function parseAgentConfig(toml: string, path: string): AgentConfig {
  const result = v.safeParse(schema, tableOf(toml, path));
  if (result.success) return result.output;
  const faults = result.issues.map((issue) => {
    const keys = (issue.path ?? []).map(({ key }) => key);
    const names = keys.filter((key) => typeof key === "string");
    const line = lineOf(toml, names);
    return `${path}${line === null ? "" : `:${line}`}: ${names.join(".")} ${wordsOf(issue)}.`;
  });
  throw new ConfigError(faults.join("\n"));
}

function tableOf(toml: string, path: string): unknown {
  try {
    return parse(toml);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ""] = error.message.split("\n");
    throw new ConfigError(`${path}:${error.line}:${error.column}: ${what}.`, { cause: error });
  }
}

/** The library words missing and unknown keys by itself. */
function wordsOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === "schema" && issue.type === "strict_object") {
    if (issue.expected === "never") return "is not a key of this file";
    if (issue.received === "undefined") return "is missing";
  }
  return issue.message;
}

function isRoaSource(given: string): boolean {
  if (given.startsWith("/")) return true;
  const url = URL.parse(given);
  const here = url && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && here === true);
}

function parseListen(given: string): { readonly host: string; readonly port: number } | null {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):([0-9]+)$/.exec(given);
  const address = match && parseAddress(match[1] ?? match[2] ?? "");
  const port = match && (match[3] === "0" ? 0 : parsePort(match[3] ?? ""));
  if (!address || port === null || (address.bits === 128) !== (match[1] !== undefined)) return null;
  return { host: formatAddress(address), port };
}
