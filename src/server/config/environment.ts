import * as v from "valibot";
import { parsePort } from "../../domain/port.ts";
import { ConfigError } from "./config-error.ts";

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What differs between two installations of the same provider. */
export interface Environment {
  /** 0: whatever is free. */
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** `postgres://…`; null: SQLite in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The provider profile; null: the demo's. */
  readonly configPath: string | null;
  /** Null: what suits the program. */
  readonly logLevel: LogLevel | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables. Throws `ConfigError` that names the variable at fault. */
export function readEnvironment(env: Variables): Environment {
  return {
    port: readPort(env),
    host: given(env, "HOST") ?? "127.0.0.1",
    dataDir: given(env, "DATA_DIR") ?? "data",
    databaseUrl: readDatabaseUrl(env),
    configPath: given(env, "PEERDECK_CONFIG"),
    logLevel: readLogLevel(env),
  };
}

/** Set to nothing is the same as not set, since many process managers cannot unset. */
function given(env: Variables, name: string): string | null {
  return env[name]?.trim() || null;
}

function readPort(env: Variables): number {
  const text = given(env, "PORT");
  if (text === null) return 4242;
  const port = text === "0" ? 0 : parsePort(text);
  if (port === null) throw wrong("PORT", "a port from 1 to 65535, or 0 for any free one", text);
  return port;
}

/** The URL may hold a password, so the message does not repeat it. */
function readDatabaseUrl(env: Variables): string | null {
  const text = given(env, "DATABASE_URL");
  if (text === null) return null;
  const scheme = URL.parse(text)?.protocol;
  if (scheme !== "postgres:" && scheme !== "postgresql:") {
    throw wrong("DATABASE_URL", "a URL that starts with postgres:// or postgresql://, or nothing for SQLite");
  }
  return text;
}

function readLogLevel(env: Variables): LogLevel | null {
  const text = given(env, "LOG_LEVEL");
  if (text === null) return null;
  const level = v.safeParse(v.picklist(logLevels), text);
  if (!level.success) throw wrong("LOG_LEVEL", `one of ${logLevels.join(", ")}`, text);
  return level.output;
}

function wrong(variable: string, expected: string, found?: string): ConfigError {
  const end = found === undefined ? "" : `, found ${JSON.stringify(found)}`;
  return new ConfigError(`The environment variable ${variable} must be ${expected}${end}.`);
}
