import { join } from "node:path";
import type { Logger } from "pino";
import type { PinnedTransport } from "../mtls/pinned-transport.ts";
import { openIdentity, type TlsIdentity } from "../mtls/tls-identity.ts";
import { createNodeTransport } from "./agents/node-transport.ts";
import { ConfigError } from "../system/config/config-error.ts";
import type { Environment } from "./config/environment.ts";
import type { NodeProfile, Profile } from "./config/profile.ts";
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
  const transports = openNodeTransports(profile, identity, configPath, parts);
  const running = parts.use(
    await startServer({
      environment,
      profile,
      transports,
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

/** Creates the transport to each node's agent, by node name. `parts` disposes them. */
export function openNodeTransports(
  { nodes }: Pick<Profile, "nodes">,
  identity: TlsIdentity,
  configPath: string,
  parts: AsyncDisposableStack,
): ReadonlyMap<string, PinnedTransport> {
  return new Map(nodes.map((node) => [node.name, parts.use(openNodeTransport(node, identity, configPath))]));
}

/** Opens the identity that the agents pin. With PostgreSQL too, it is in the data folder. */
export async function openServerIdentity(dataDir: string): Promise<TlsIdentity> {
  await secureDataFolder(dataDir);
  return openIdentity(join(dataDir, "identity"), "Peerdeck server");
}

function openNodeTransport(
  { name, agent }: NodeProfile,
  identity: TlsIdentity,
  configPath: string,
): PinnedTransport {
  if (!agent)
    throw new ConfigError(
      `${configPath}: node ${name} has no agent. Add [nodes.agent] with url and fingerprint.`,
    );
  return createNodeTransport({ ...agent, identity, timeoutMs: agentTransportTimeoutMs });
}
