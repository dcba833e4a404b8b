import { join } from "node:path";
import type { Logger } from "pino";
import { createPinnedTransport, type PinnedTransport } from "../identity/pinned-transport.ts";
import { openIdentity, type TlsIdentity } from "../identity/tls-identity.ts";
import { ConfigError } from "./config/config-error.ts";
import type { Environment } from "./config/environment.ts";
import type { NodeProfile } from "./config/profile.ts";
import { readProfile } from "./config/profile-file.ts";
import { type RunningServer, startServer } from "./start.ts";

/** The longest query of an agent; callers set shorter limits of their own. */
const answerTimeoutMs = 60_000;

/** Starts the server of the provider whose profile PEERDECK_CONFIG names. */
export async function start(environment: Environment, log: Logger): Promise<RunningServer> {
  const { configPath, dataDir } = environment;
  if (configPath === null) throw new ConfigError("PEERDECK_CONFIG names no provider profile.");
  const profile = await readProfile(configPath);
  if (!profile.mail) {
    throw new ConfigError(
      `${configPath} has no table [mail], so that no link could be sent. Add url and from.`,
    );
  }
  const identity = await openIdentity(join(dataDir, "identity"), "Peerdeck server");
  await using parts = new AsyncDisposableStack();
  const transports = new Map(
    profile.nodes.map((node) => [node.name, parts.use(transportTo(node, identity, configPath))]),
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
    "the server listens",
  );
  const all = parts.move();
  return { url: running.url, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

function transportTo(
  { name, agent }: NodeProfile,
  identity: TlsIdentity,
  configPath: string,
): PinnedTransport {
  if (!agent)
    throw new ConfigError(
      `${configPath}: node ${name} has no agent. Add [nodes.agent] with url and fingerprint.`,
    );
  return createPinnedTransport({ ...agent, identity, timeoutMs: answerTimeoutMs });
}
