import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Transport } from "#contract/client.ts";
import { startDemoNodes } from "#demo/nodes.ts";
import { demoPages } from "#demo/pages.ts";
import { readEnvironment } from "#server/config/environment.ts";
import type { Profile } from "#server/config/profile.ts";
import { readProfile } from "#server/config/profile-file.ts";
import { createLog } from "#server/log.ts";
import { startServer } from "#server/start.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { freePort } from "../../support/free-port.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

export interface ProfileServer extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
}

const root = join(import.meta.dirname, "../../..");

export interface ProfileServerOptions {
  /** Mail is stored where `signUp` finds it, as in the demo. */
  readonly withOutbox?: boolean;
  /** Wraps the transport to each node. */
  readonly through?: (agent: Transport, node: string) => Transport;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs?: number;
  /** Of PostgreSQL; by default the database is SQLite. */
  readonly databaseUrl?: string;
  /** By default the server does not log. */
  readonly log?: Logger;
  /** More of the profile. */
  readonly profile?: Partial<Profile>;
}

/** A provider's server in this process, with the demo's nodes and a profile with these public facts. */
export async function profileServer(
  facts: Partial<Profile["facts"]>,
  {
    withOutbox = false,
    through = (agent) => agent,
    waitMs,
    databaseUrl,
    log = createLog("silent"),
    profile: changes,
  }: ProfileServerOptions = {},
): Promise<ProfileServer> {
  await using parts = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(scratchFolder(), "peerdeck-profile-"));
  parts.defer(() => rm(dataDir, { recursive: true }));
  const demo = await readProfile(join(root, "src/demo/provider.toml"));
  const environment = readEnvironment({
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  const profile: Profile = {
    ...demo,
    publicUrl: `http://127.0.0.1:${environment.port}`,
    facts: { ...demo.facts, ...facts },
    ...changes,
  };
  const nodes = parts.use(await startDemoNodes({ profile, dataDir, log, timeScale: 0.01 }));
  const webDir = join(root, "build/web");
  const transports = new Map([...nodes.transports].map(([node, agent]) => [node, through(agent, node)]));
  const { url } = parts.use(
    await startServer({
      environment,
      profile,
      transports,
      webDir,
      log,
      passwords: createFastPasswords(),
      ...(waitMs !== undefined && { waitMs }),
      ...(withOutbox && { extraRoutes: (outbox) => demoPages(outbox, []) }),
    }),
  );
  const running = parts.move();
  return { url, dataDir, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
