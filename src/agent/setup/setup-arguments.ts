import { parseArgs } from "node:util";

/** What a person has to do differently; the message says it. */
export class SetupRefused extends Error {
  override readonly name = "SetupRefused";
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
  readonly roa4: string | undefined;
  readonly roa6: string | undefined;
}

export const usage = `Makes this machine a node, or checks one that was set up before (without options).

peerdeck-agent setup
  --node de01                 the node's name
  --asn 4242422227            the provider's AS number
  --listen 203.0.113.5:4243   where the server reaches the agent; the address is the node's public one
  --ipv4 172.20.16.1          the node's own addresses in the network, which go onto the loopback interface
  --ipv6 fd42:d42::1
  --prefix 172.20.16.0/27     the provider's prefixes, at least one of each family
  --prefix fd42:d42::/48
  --roa4 https://…/roa4.conf  ROAs in BIRD's form; without them every route is refused
  --roa6 https://…/roa6.conf
  --server 5E:01:…            the fingerprint that the server prints when it starts
  --endpoint node.example.net a further public address or name of the node; repeat for more
`;

const needed = ["node", "asn", "listen", "ipv4", "ipv6"] as const;

/** Null where nothing is to be made, only checked. Throws `SetupRefused`. */
export function parseSetupArguments(args: readonly string[]): SetupArguments | "help" | null {
  const values = read(args);
  if (values.help === true) return "help";
  if (Object.keys(values).length === 0) return null;
  const missing: string[] = needed.filter((name) => values[name] === undefined);
  if (!values.prefix) missing.push("prefix");
  const { node, asn, listen, ipv4, ipv6, prefix: prefixes = [] } = values;
  if (!node || !asn || !listen || !ipv4 || !ipv6 || missing.length > 0) {
    const names = missing.map((name) => `--${name}`).join(", ");
    throw new SetupRefused(`Missing: ${names}. Nothing was changed.\n\n${usage}`);
  }
  const { endpoint: endpoints = [], server: servers = [], roa4, roa6 } = values;
  return { node, asn, listen, ipv4, ipv6, prefixes, endpoints, servers, roa4, roa6 };
}

function read(args: readonly string[]) {
  const one = { type: "string" } as const;
  const many = { type: "string", multiple: true } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        node: one,
        asn: one,
        listen: one,
        ipv4: one,
        ipv6: one,
        prefix: many,
        endpoint: many,
        server: many,
        roa4: one,
        roa6: one,
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw new SetupRefused(`${(error as Error).message}. Nothing was changed.\n\n${usage}`, { cause: error });
  }
}
