import { join } from "node:path";
import type { Logger } from "pino";
import { createPinnedTransport, type PinnedTransport } from "../mtls/pinned-transport.ts";
import { openIdentity, type TlsIdentity } from "../mtls/tls-identity.ts";
import { type Environment, ConfigError } from "./config/environment.ts";
import type { NodeProfile } from "./config/profile.ts";
import { readProfile } from "./config/profile-file.ts";
import { type RunningServer, startServer } from "./start.ts";

/** Longer than any timeout of a caller. */
const agentTransportTimeoutMs = 60_000;

/** Starts the server with the provider profile in PEERDECK_CONFIG. */
export async function start(environment: Environment, log: Logger): Promise<RunningServer> {
  const { configPath, dataDir } = environment;
  if (configPath === null) throw new ConfigError("PEERDECK_CONFIG does not name a provider profile.");
  const profile = await readProfile(configPath);
  if (!profile.mail) {
    throw new ConfigError(
      `${configPath} has no table [mail], so the server cannot send registration links. Add [mail] with url and from.`,
    );
  }
  const identity = await openIdentity(join(dataDir, "identity"), "Peerdeck server");
  await using parts = new AsyncDisposableStack();
  const transports = new Map(
    profile.nodes.map((node) => [node.name, parts.use(createNodeTransport(node, identity, configPath))]),
  );
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
    { url: running.url, publicUrl: profile.publicUrl, fingerprint: identity.fingerprint },
    "the server is listening",
  );
  const all = parts.move();
  return { url: running.url, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

function createNodeTransport(
  { name, agent }: NodeProfile,
  identity: TlsIdentity,
  configPath: string,
): PinnedTransport {
  if (!agent)
    throw new ConfigError(
      `${configPath}: node ${name} has no agent. Add [nodes.agent] with url and fingerprint.`,
    );
  return createPinnedTransport({ ...agent, identity, timeoutMs: agentTransportTimeoutMs });
}
