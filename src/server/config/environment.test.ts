import { expect, test } from "vitest";
import { ConfigError } from "../../system/config/config-error.ts";
import { readEnvironment } from "./environment.ts";

test("the defaults are the demo on port 4242 of this machine", () => {
  expect(readEnvironment({})).toEqual({
    port: 4242,
    host: "127.0.0.1",
    metrics: null,
    dataDir: "data",
    databaseUrl: null,
    secret: null,
    configPath: null,
    logLevel: null,
    migratesWithoutBackup: false,
    stopTimeoutMs: 20_000,
  });
});

test("reads every setting", () => {
  expect(
    readEnvironment({
      PORT: "0",
      HOST: "::",
      METRICS_HOST: "::1",
      METRICS_PORT: "9100",
      DATA_DIR: "/var/lib/peerdeck",
      DATABASE_URL: "postgres://peerdeck@db/peerdeck",
      PEERDECK_SECRET: "a key",
      PEERDECK_CONFIG: "/etc/peerdeck.toml",
      LOG_LEVEL: "debug",
      MIGRATE_WITHOUT_BACKUP: "1",
      STOP_TIMEOUT_SECONDS: "60",
    }),
  ).toEqual({
    port: 0,
    host: "::",
    metrics: { host: "::1", port: 9100 },
    dataDir: "/var/lib/peerdeck",
    databaseUrl: "postgres://peerdeck@db/peerdeck",
    secret: "a key",
    configPath: "/etc/peerdeck.toml",
    logLevel: "debug",
    migratesWithoutBackup: true,
    stopTimeoutMs: 60_000,
  });
});

test("a provider's server serves metrics on this machine, wherever it listens itself, and the demo with a port", () => {
  const provider = { PEERDECK_CONFIG: "/etc/peerdeck.toml", HOST: "::" };
  expect(readEnvironment(provider).metrics).toEqual({ host: "127.0.0.1", port: 4244 });
  expect(readEnvironment({ METRICS_PORT: "0" }).metrics).toEqual({ host: "127.0.0.1", port: 0 });
});

test("an empty variable counts as unset", () => {
  expect(readEnvironment({ PORT: "", DATABASE_URL: " ", LOG_LEVEL: "" })).toEqual(readEnvironment({}));
});

const port = "PORT must be a port from 1 to 65535, or 0 for any free one";
const levels = "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent";
const url = "DATABASE_URL must be a URL that starts with postgres:// or postgresql://, or nothing for SQLite";

test.each([
  [{ PORT: "065" }, `${port}, found "065".`],
  [{ PORT: "65536" }, `${port}, found "65536".`],
  [{ METRICS_PORT: "off" }, `METRICS_${port}, found "off".`],
  [{ LOG_LEVEL: "loud" }, `${levels}, found "loud".`],
  [
    { STOP_TIMEOUT_SECONDS: "1m" },
    'STOP_TIMEOUT_SECONDS must be a whole number of seconds from 1 to 9999, found "1m".',
  ],
  // Without the password.
  [{ DATABASE_URL: "mysql://me:canary@db/x" }, `${url}.`],
])("rejects %j with the name of the variable", (env, message) => {
  expect(() => readEnvironment(env)).toThrow(new ConfigError(`The environment variable ${message}`));
});
