import { parseArgs } from "node:util";
import { type JoinLine, parseJoinLine } from "../../mtls/join-proof.ts";
import { settingOptions, SetupError } from "../setup/setup-arguments.ts";

export const usage = `Configures this machine as a node of the server that printed the line, and joins.

peerdeck-agent join 'https://peering.example.net#TOKEN'

The line is what peerdeck nodes add prints on the server. It is valid for an hour, and can be run again until the node has
joined. The server says the node's name, the AS number and the prefixes. The rest is asked on a terminal, or given as options:

  --listen 203.0.113.5:4243   where the server connects to; the node's public address
  --endpoint de.example.net   another public address or hostname of the node; can be repeated. Behind a NAT, the first one is
                              the one that participants enter
  --agent-url URL             where the server reaches the agent, if a NAT or another port makes it differ from --listen:
                              https://198.51.100.7:4243
  --ipv4 172.20.16.1          the node's own dn42 addresses, added to the loopback interface
  --ipv6 fd42:d42::1
  --roa4 https://…/roa4.conf  ROAs in BIRD's syntax: a URL, or the path of a file that the user
  --roa6 https://…/roa6.conf  peerdeck-agent can read; without them every route is rejected
  --server-address 192.0.2.10 where the server connects from, an address or prefix; can be repeated. Without it, the server
                              tells
  --server 5E:01:…            the fingerprint of another server that may connect, too

--node, --asn and --prefix are only compared with what the server says. An existing agent.toml is never changed.
`;

export interface JoinArguments {
  readonly line: JoinLine;
  readonly flags: JoinFlags;
}

export type JoinFlags = ReturnType<typeof read>["values"];

/** Parses the arguments. Throws `SetupError`. */
export function parseJoinArguments(args: readonly string[]): JoinArguments | "help" {
  const { values: flags, positionals } = read(args);
  if (flags.help === true) return "help";
  const [text, ...rest] = positionals;
  if (text === undefined || rest.length > 0) {
    throw refuse("join takes the line that peerdeck nodes add prints on the server, between quotes");
  }
  const line = parseJoinLine(text);
  if (line === null) {
    throw refuse(
      "This is not a line that peerdeck nodes add prints: it has a URL, # and 98 characters. Copy all of it, between quotes",
    );
  }
  return { line, flags };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...settingOptions, "agent-url": { type: "string" } },
    });
  } catch (error) {
    throw refuse((error as Error).message, error);
  }
}

function refuse(sentence: string, cause?: unknown): SetupError {
  return new SetupError(`${sentence}. Nothing was changed.\n\n${usage.trimEnd()}`, { cause });
}
