/** The program of `npm start`: the provider's server with a configuration, the demo without one; and its commands. */
import type { Logger } from "pino";
import { IdentityError } from "./mtls/tls-identity.ts";
import { type Environment, readEnvironment } from "./server/config/environment.ts";
import { DataFolderError } from "./server/db/data-folder.ts";
import { DatabaseVersionError } from "./server/db/database-version.ts";
import { MigrationBackupError } from "./server/db/backups/before-migration.ts";
import { SecretKeyError } from "./server/db/secrets/secret-keys.ts";
import { FolderInUseError } from "./server/db/sqlite/folder-lock.ts";
import { createLog } from "./server/log.ts";
import { MissingBuildError } from "./server/site/missing-build-error.ts";
import { describeStartError } from "./server/start-error.ts";
import { stopServer } from "./server/stop-server.ts";
import { onStopSignal } from "./server/stop-signals.ts";
import { ConfigError } from "./system/config/config-error.ts";

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Errors whose message alone tells the operator what to do. */
const operatorErrors = [
  ConfigError,
  DataFolderError,
  DatabaseVersionError,
  FolderInUseError,
  IdentityError,
  MigrationBackupError,
  MissingBuildError,
  SecretKeyError,
];

let settings: Environment | null = null;
try {
  const environment = readEnvironment(process.env);
  settings = environment;
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) await runServer();
  else process.exitCode = await runCommand(command);

  async function runServer() {
    const isDemo = environment.configPath === null;
    const log = createLog(environment.logLevel ?? (isDemo ? "warn" : "info"));
    const running = isDemo ? await startDemo(log) : await startServer(log);
    const stop = async () =>
      process.exit(await stopServer(running, { log, timeoutMs: environment.stopTimeoutMs }));
    onStopSignal(() => void stop());
  }

  async function runCommand(name: string): Promise<number> {
    switch (name) {
      case "backup":
      case "restore": {
        const { runBackupCommand } = await import("./server/backup-commands.ts");
        return runBackupCommand(name, args, environment, print);
      }
      case "recover":
      case "remove-peering": {
        const { runRecoveryCommand } = await import("./server/recovery-commands.ts");
        return runRecoveryCommand(name, args, environment, print);
      }
      case "accounts": {
        const { runAccountsCommand } = await import("./server/account-commands.ts");
        return runAccountsCommand(args, environment, print);
      }
      case "reset-secrets": {
        const { runResetSecretsCommand } = await import("./server/reset-secrets-command.ts");
        return runResetSecretsCommand(args, environment, print);
      }
      case "audit": {
        const { runAuditCommand } = await import("./server/audit-command.ts");
        return runAuditCommand(args, environment, print);
      }
      default: {
        const names = "backup, restore, recover, remove-peering, accounts, reset-secrets and audit";
        throw new ConfigError(`There is no command ${name}. The commands are ${names}.`);
      }
    }
  }

  async function startServer(log: Logger) {
    const { start } = await import("./server/provider-server.ts");
    return start(environment, log);
  }

  async function startDemo(log: Logger) {
    const { assertNoProviderData } = await import("./demo/provider-data.ts");
    await assertNoProviderData(environment, process.env["PEERDECK_DEMO"] === "1");
    const { start, welcome } = await import("./demo/start.ts");
    const timeScale = Number(process.env["DEMO_TIME_SCALE"] ?? 1);
    const demo = await start(environment, log, {
      timeScale,
      withHistory: true,
    });
    process.stdout.write(welcome(demo.url, environment.dataDir));
    return demo;
  }
} catch (error) {
  const isForOperator = operatorErrors.some((type) => error instanceof type);
  const sentence = isForOperator ? (error as Error).message : settings && describeStartError(error, settings);
  if (sentence === null) throw error;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
