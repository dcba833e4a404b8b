import { parseArgs } from "node:util";
import { parseAsn } from "../../domain/asn.ts";

/** The operator has to do something differently; the message says what. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

export interface SetupArguments {
  readonly node: string;
  readonly asn: string;
  readonly listen: string;
  readonly ipv4: string;
  readonly ipv6: string;
  readonly prefixes: readonly string[];
  readonly endpoints: readonly string[];
  readonly servers: readonly string[];
  readonly serverAddresses: readonly string[];
  readonly roa4: string | undefined;
  readonly roa6: string | undefined;
  /** Whether participants' endpoints may be in documentation ranges. */
  readonly allowDocumentation: boolean;
}

export const usage = `Configures this machine as a node without a server. Without options, checks a configured node. With a server, use
peerdeck-agent join.

peerdeck-agent setup
  --node de01                 the node's name
  --asn 4242422227            the provider's AS number
  --listen 203.0.113.5:4243   where the server connects to; the node's public address
  --ipv4 172.20.16.1          the node's own dn42 addresses, added to the loopback interface
  --ipv6 fd42:d42::1
  --prefix 172.20.16.0/27     the provider's prefixes, at least one per address family
  --prefix fd42:d42::/48
  --roa4 https://…/roa4.conf  ROAs in BIRD's syntax: a URL, or the path of a file that the user
  --roa6 https://…/roa6.conf  peerdeck-agent can read; without them every route is rejected
  --server 5E:01:…            what peerdeck fingerprint prints on the server
  --server-address 192.0.2.10 where the server connects from, an address or prefix; can be repeated. Without it,
                              the server tells
  --endpoint de.example.net   another public address or hostname of the node; can be repeated
`;

const required = ["node", "asn", "listen", "ipv4", "ipv6"] as const;

/** Parses the arguments; null without arguments, which means a check. Throws `SetupError`. */
export function parseSetupArguments(args: readonly string[]): SetupArguments | "help" | null {
  const values = read(args);
  if (values.help === true) return "help";
  if (Object.keys(values).length === 0) return null;
  const missing: string[] = required.filter((name) => values[name] === undefined);
  if (!values.prefix) missing.push("prefix");
  const { node, asn, listen, ipv4, ipv6, prefix: prefixes = [] } = values;
  if (!node || !asn || !listen || !ipv4 || !ipv6 || missing.length > 0) {
    const names = missing.map((name) => `--${name}`).join(", ");
    throw new SetupError(`Missing: ${names}. Nothing was changed.\n\n${usage}`);
  }
  const providerAsn = parseAsn(asn);
  if (providerAsn === null)
    throw new SetupError(`--asn: ${asn} is not an AS number. Nothing was changed.\n\n${usage}`);
  const { endpoint: endpoints = [], server: servers = [], roa4, roa6 } = values;
  const serverAddresses = values["server-address"] ?? [];
  return {
    node,
    asn: providerAsn,
    listen,
    ipv4,
    ipv6,
    prefixes,
    endpoints,
    servers,
    serverAddresses,
    roa4,
    roa6,
    allowDocumentation: false,
  };
}

const one = { type: "string" } as const;
const many = { type: "string", multiple: true } as const;

/** The options of `setup`, in the form of `parseArgs`. `join` has them, too. */
export const settingOptions = {
  node: one,
  asn: one,
  listen: one,
  ipv4: one,
  ipv6: one,
  prefix: many,
  endpoint: many,
  server: many,
  "server-address": many,
  roa4: one,
  roa6: one,
  help: { type: "boolean" },
} as const;

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: settingOptions }).values;
  } catch (error) {
    throw new SetupError(`${(error as Error).message}. Nothing was changed.\n\n${usage}`, { cause: error });
  }
}
