import { ConfigError } from "#system/config/config-error.ts";
import { toPrintableText } from "#system/printable-text.ts";
import type { Environment } from "#server/config/environment.ts";
import { readVersion } from "#server/config/version.ts";
import { HelpRequest } from "./command-line.ts";

type Print = (text: string) => void;
type Run = (args: readonly string[], environment: Environment, print: Print) => Promise<number>;

interface Command {
  /** One line of the help. */
  readonly summary: string;
  readonly load: () => Promise<Run>;
}

/** In the order of the help. The modules of a command are loaded when it runs. */
const commands: Readonly<Record<string, Command>> = {
  setup: {
    summary: "Write the provider profile",
    load: async () => (await import("./setup/setup-command.ts")).runSetupCommand,
  },
  doctor: {
    summary: "Check the installation",
    load: async () => (await import("./doctor/doctor-command.ts")).runDoctorCommand,
  },
  "check-profile": {
    summary: "Check a provider profile",
    load: async () => (await import("./check-profile-command.ts")).runCheckProfileCommand,
  },
  fingerprint: {
    summary: "Print the server's fingerprint, which the agents must have",
    load: async () => (await import("./fingerprint-command.ts")).runFingerprintCommand,
  },
  nodes: {
    summary: "Add, open, close, change and remove nodes",
    load: async () => (await import("./nodes/nodes-command.ts")).runNodesCommand,
  },
  peerings: {
    summary: "List the peerings",
    load: async () => (await import("./peerings-command.ts")).runPeeringsCommand,
  },
  "remove-peering": {
    summary: "Remove a peering from its node",
    load: async () =>
      (await import("./recovery-commands.ts")).runRecoveryCommand.bind(null, "remove-peering"),
  },
  accounts: {
    summary: "Block and unblock an AS, release flagged accounts, end login sessions",
    load: async () => (await import("./account-commands.ts")).runAccountsCommand,
  },
  audit: {
    summary: "Read the audit log",
    load: async () => (await import("./audit-command.ts")).runAuditCommand,
  },
  backup: {
    summary: "Write a backup of everything that the server stores",
    load: async () => (await import("./backup-commands.ts")).runBackupCommand.bind(null, "backup"),
  },
  restore: {
    summary: "Restore a backup",
    load: async () => (await import("./backup-commands.ts")).runBackupCommand.bind(null, "restore"),
  },
  recover: {
    summary: "Write the peerings that the nodes run into the database",
    load: async () => (await import("./recovery-commands.ts")).runRecoveryCommand.bind(null, "recover"),
  },
  "reset-secrets": {
    summary: "Delete the secrets that a lost key sealed",
    load: async () => (await import("./reset-secrets-command.ts")).runResetSecretsCommand,
  },
};

const nameWidth = Math.max(...Object.keys(commands).map((name) => name.length));

const help = `peerdeck COMMAND

${[
  ["server", "Run the server with the provider profile in PEERDECK_CONFIG"],
  ["demo", "Run a complete demo with simulated nodes"],
  ["start", "Run the server if PEERDECK_CONFIG is set, and the demo without it"],
  ...Object.entries(commands).map(([name, { summary }]) => [name, summary] as const),
  ["help", "Print this text"],
]
  .map(([name = "", summary = ""]) => `  ${name.padEnd(nameWidth)}  ${summary}`)
  .join("\n")}

  peerdeck COMMAND --help explains a command. peerdeck --version prints the version.`;

/**
 * Runs a command of the program, such as `backup`, and returns its exit code. What it prints has no control
 * characters; a command that prints a text of others in a line of its own uses `toPrintableLine`.
 */
export async function runCommand(
  name: string,
  args: readonly string[],
  environment: Environment,
  write: Print,
): Promise<number> {
  const print = (text: string) => write(toPrintableText(text));
  if (["help", "--help", "-h"].includes(name)) return printAndSucceed(print, help);
  if (["--version", "-v"].includes(name)) return printAndSucceed(print, readVersion());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new ConfigError(`There is no command ${name}.\n\n${help}`);
  const run = await command.load();
  try {
    return await run(args, environment, print);
  } catch (error) {
    if (!(error instanceof HelpRequest)) throw error;
    return printAndSucceed(print, error.message);
  }
}

function printAndSucceed(print: Print, text: string): number {
  print(text);
  return 0;
}
