import * as v from "valibot";
import { parsePort } from "../../domain/port.ts";
import { ConfigError } from "../../system/config/config-error.ts";
import { readVariable } from "../../system/config/environment-variable.ts";

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** The settings that differ between installations of the same provider. */
export interface Environment {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Where the metrics are served. Null: nowhere, the default of the demo. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly dataDir: string;
  /** `postgres://…`; null: SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The keys that seal secrets in the database (src/server/db/secrets); null: the keys are in a file in `dataDir`. */
  readonly secret: string | null;
  /** The provider profile; null: the demo's. */
  readonly configPath: string | null;
  /** Null: the program's default. */
  readonly logLevel: LogLevel | null;
  /** Whether an older database is migrated without a copy. */
  readonly migratesWithoutBackup: boolean;
  /** How long a stop may take before the process exits anyway. */
  readonly stopTimeoutMs: number;
}

const loopback = "127.0.0.1";

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables. Throws `ConfigError` with the name of an invalid variable. */
export function readEnvironment(env: Variables): Environment {
  return {
    port: readPort(env, "PORT") ?? 4242,
    host: readVariable(env, "HOST") ?? loopback,
    metrics: readMetricsAddress(env),
    dataDir: readVariable(env, "DATA_DIR") ?? "data",
    databaseUrl: readDatabaseUrl(env),
    secret: readVariable(env, "PEERDECK_SECRET"),
    configPath: readVariable(env, "PEERDECK_CONFIG"),
    logLevel: readLogLevel(env),
    migratesWithoutBackup: readVariable(env, "MIGRATE_WITHOUT_BACKUP") === "1",
    stopTimeoutMs: readStopTimeout(env),
  };
}

function readPort(env: Variables, variable: string): number | null {
  const text = readVariable(env, variable);
  if (text === null) return null;
  const port = text === "0" ? 0 : parsePort(text);
  if (port === null) throw invalidVariable(variable, "a port from 1 to 65535, or 0 for any free one", text);
  return port;
}

/** Not on `HOST`: the metrics name nodes, so other hosts read them only if the operator says so. */
function readMetricsAddress(env: Variables): Environment["metrics"] {
  const isProvider = readVariable(env, "PEERDECK_CONFIG") !== null;
  const port = readPort(env, "METRICS_PORT") ?? (isProvider ? 4244 : null);
  return port === null ? null : { host: readVariable(env, "METRICS_HOST") ?? loopback, port };
}

/** The error message omits the value: the URL may contain a password. */
function readDatabaseUrl(env: Variables): string | null {
  const text = readVariable(env, "DATABASE_URL");
  if (text === null) return null;
  const scheme = URL.parse(text)?.protocol;
  if (scheme !== "postgres:" && scheme !== "postgresql:") {
    throw invalidVariable(
      "DATABASE_URL",
      "a URL that starts with postgres:// or postgresql://, or nothing for SQLite",
    );
  }
  return text;
}

function readStopTimeout(env: Variables): number {
  const text = readVariable(env, "STOP_TIMEOUT_SECONDS") ?? "20";
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds === 0)
    throw invalidVariable("STOP_TIMEOUT_SECONDS", "a whole number of seconds from 1 to 9999", text);
  return seconds * 1000;
}

function readLogLevel(env: Variables): LogLevel | null {
  const text = readVariable(env, "LOG_LEVEL");
  if (text === null) return null;
  const level = v.safeParse(v.picklist(logLevels), text);
  if (!level.success) throw invalidVariable("LOG_LEVEL", `one of ${logLevels.join(", ")}`, text);
  return level.output;
}

function invalidVariable(variable: string, expected: string, found?: string): ConfigError {
  const end = found === undefined ? "" : `, found ${JSON.stringify(found)}`;
  return new ConfigError(`The environment variable ${variable} must be ${expected}${end}.`);
}
