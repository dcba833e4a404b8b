import { join } from "node:path";
import type { Logger } from "pino";
import { openIdentity, type TlsIdentity } from "../mtls/tls-identity.ts";
import { createNodeTransport } from "./agents/node-transport.ts";
import type { OpenTransport } from "./agents/node-transports.ts";
import { ConfigError } from "../system/config/config-error.ts";
import type { Environment } from "./config/environment.ts";
import { readProfile } from "./config/profile-file.ts";
import { secureDataFolder } from "./db/data-folder.ts";
import { assertInstallationKind } from "./db/installation-kind.ts";
import { lockFolder } from "./db/sqlite/folder-lock.ts";
import { type RunningServer, startServer } from "./start.ts";
import { readVersion } from "./config/version.ts";

/** Longer than any timeout of a caller. */
const agentTransportTimeoutMs = 60_000;

/** Starts the server with the provider profile in PEERDECK_CONFIG. */
export async function start(environment: Environment, log: Logger): Promise<RunningServer> {
  const { configPath, dataDir } = environment;
  if (configPath === null) throw new ConfigError("PEERDECK_CONFIG does not name a provider profile.");
  const profile = await readProfile(configPath, { isForServer: true });
  await assertInstallationKind(environment, "provider");
  await using parts = new AsyncDisposableStack();
  // Several servers may share a folder with PostgreSQL.
  if (environment.databaseUrl === null) parts.use(await lockFolder(dataDir));
  const identity = await openServerIdentity(dataDir);
  const running = parts.use(
    await startServer({
      environment,
      profile,
      openTransport: openTransportAs(identity),
      fingerprint: identity.fingerprint,
      webDir: join(import.meta.dirname, "../../build/web"),
      log,
    }),
  );
  log.info(
    {
      version: readVersion(),
      url: running.url,
      publicUrl: profile.publicUrl,
      fingerprint: identity.fingerprint,
    },
    "the server is listening",
  );
  const all = parts.move();
  const { url, metricsUrl } = running;
  return { url, metricsUrl, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Connects to the agents with the server's identity. */
export function openTransportAs(identity: TlsIdentity): OpenTransport {
  return ({ agent }) =>
    agent && createNodeTransport({ ...agent, identity, timeoutMs: agentTransportTimeoutMs });
}

/** Opens the identity that the agents pin. With PostgreSQL too, it is in the data folder. */
export async function openServerIdentity(dataDir: string): Promise<TlsIdentity> {
  await secureDataFolder(dataDir);
  return openIdentity(join(dataDir, "identity"), "Peerdeck server");
}
