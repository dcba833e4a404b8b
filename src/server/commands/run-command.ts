import { ConfigError } from "#system/config/config-error.ts";
import type { Environment } from "../config/environment.ts";

/** Runs a command of the server's program, such as `backup`, and returns its exit code. */
export async function runCommand(
  name: string,
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
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
      const names = "backup, restore, recover, remove-peering, accounts, reset-secrets and audit";
      throw new ConfigError(`There is no command ${name}. The commands are ${names}.`);
    }
  }
}
