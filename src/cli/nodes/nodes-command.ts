import type { Environment } from "#server/config/environment.ts";
import { HelpRequest, invalidArguments } from "../command-line.ts";

type Run = (
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
) => Promise<number>;

interface Subcommand {
  /** The arguments that it is mostly used with. */
  readonly usage: string;
  /** One line of the help. */
  readonly summary: string;
  readonly load: () => Promise<Run>;
}

/** In the order of the help. The modules of a command are loaded when it runs. */
const subcommands: Readonly<Record<string, Subcommand>> = {
  add: {
    usage: "NAME …",
    summary: "Print a line with which a router joins as a node",
    load: async () => (await import("./add-node.ts")).runAddNode,
  },
  list: {
    usage: "",
    summary: "List the nodes, those that may join, and those that are being removed",
    load: async () => (await import("./list-nodes.ts")).runListNodes,
  },
  show: {
    usage: "NAME",
    summary: "Show everything that is stored of a node",
    load: async () => (await import("./show-node.ts")).runShowNode,
  },
  open: {
    usage: "NAME",
    summary: "Accept new peerings",
    load: async () => (await import("./set-state.ts")).runOpenNode,
  },
  close: {
    usage: "NAME",
    summary: "Accept no new peerings; existing ones can be changed and deleted",
    load: async () => (await import("./set-state.ts")).runCloseNode,
  },
  limit: {
    usage: "NAME N|none",
    summary: "Set the most peerings that a node accepts",
    load: async () => (await import("./set-limit.ts")).runLimitNode,
  },
  move: {
    usage: "NAME …",
    summary: "Change the place, the addresses or the agent of a node",
    load: async () => (await import("./move-node.ts")).runMoveNode,
  },
  rekey: {
    usage: "NAME",
    summary: "Give a node another WireGuard key, peering by peering",
    load: async () => (await import("./rekey-node.ts")).runRekeyNode,
  },
  remove: {
    usage: "NAME",
    summary: "Take the peerings of a node down, and forget the node",
    load: async () => (await import("./remove-node.ts")).runRemoveNode,
  },
  servers: {
    usage: "",
    summary: "List and change where agents expect servers",
    load: async () => (await import("./server-addresses.ts")).runServerAddresses,
  },
};

const lines = Object.entries(subcommands).map(
  ([name, { usage, summary }]) => [`${name} ${usage}`.trimEnd(), summary] as const,
);
const width = Math.max(...lines.map(([command]) => command.length));

const help = `peerdeck nodes COMMAND [--json]
  Changes the provider's nodes. Running servers know each change within two seconds.

${lines.map(([command, summary]) => `  ${command.padEnd(width)}  ${summary}`).join("\n")}

  --json prints the result as JSON. peerdeck nodes COMMAND --help explains a command.`;

/** Runs a command of `peerdeck nodes` and returns its exit code. Throws `ConfigError` if the arguments are invalid. */
export async function runNodesCommand(
  [name, ...args]: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  if (name === undefined || ["help", "--help", "-h"].includes(name)) throw new HelpRequest(help);
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!subcommand) throw invalidArguments(`There is no command nodes ${name}`, help);
  const run = await subcommand.load();
  return run(args, environment, print);
}
