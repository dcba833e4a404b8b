import { ConfigError } from "#system/config/config-error.ts";
import { toPrintableText } from "#system/printable-text.ts";
import { HelpRequest } from "./command-line.ts";
import type { Environment } from "../config/environment.ts";

type Print = (text: string) => void;

/**
 * Runs a command of the server's program, such as `backup`, and returns its exit code. What it prints has no control
 * characters; a command that prints a text of others in a line of its own uses `toPrintableLine`.
 */
export async function runCommand(
  name: string,
  args: readonly string[],
  environment: Environment,
  write: Print,
): Promise<number> {
  const print = (text: string) => write(toPrintableText(text));
  try {
    return await findCommand(name, args, environment, print);
  } catch (error) {
    if (!(error instanceof HelpRequest)) throw error;
    print(error.message);
    return 0;
  }
}

async function findCommand(
  name: string,
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  switch (name) {
    case "backup":
    case "restore": {
      const { runBackupCommand } = await import("./backup-commands.ts");
      return runBackupCommand(name, args, environment, print);
    }
    case "recover":
    case "remove-peering": {
      const { runRecoveryCommand } = await import("./recovery-commands.ts");
      return runRecoveryCommand(name, args, environment, print);
    }
    case "forget-node": {
      const { runForgetNodeCommand } = await import("./forget-node-command.ts");
      return runForgetNodeCommand(args, environment, print);
    }
    case "peerings": {
      const { runPeeringsCommand } = await import("./peerings-command.ts");
      return runPeeringsCommand(args, environment, print);
    }
    case "accounts": {
      const { runAccountsCommand } = await import("./account-commands.ts");
      return runAccountsCommand(args, environment, print);
    }
    case "reset-secrets": {
      const { runResetSecretsCommand } = await import("./reset-secrets-command.ts");
      return runResetSecretsCommand(args, environment, print);
    }
    case "audit": {
      const { runAuditCommand } = await import("./audit-command.ts");
      return runAuditCommand(args, environment, print);
    }
    default: {
      const names =
        "backup, restore, recover, peerings, remove-peering, forget-node, accounts, reset-secrets and audit";
      throw new ConfigError(`There is no command ${name}. The commands are ${names}.`);
    }
  }
}
