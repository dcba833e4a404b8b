import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Transport } from "#contract/client.ts";
import { startDemoNodes } from "#demo/nodes.ts";
import { demoPages } from "#demo/pages.ts";
import { readEnvironment } from "#server/config/environment.ts";
import type { Profile } from "#server/config/profile.ts";
import { readProfile } from "#server/config/profile-file.ts";
import type { DatabaseLimits } from "#server/db/database-limits.ts";
import { createLog } from "#server/log.ts";
import { startServer } from "#server/start.ts";
import { postgresVariables, type TestDatabase } from "../../support/databases.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { freePort } from "../../support/free-port.ts";
import { repository } from "../../support/repository.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

export interface ProfileServer extends AsyncDisposable {
  /** Where the first server listens. */
  readonly url: string;
  /** Where each server listens. */
  readonly urls: readonly string[];
  readonly dataDir: string;
  /** The log lines of all servers so far, parsed. */
  readonly log: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

export interface ProfileServerOptions {
  /** By default a new SQLite database. */
  readonly at?: TestDatabase;
  /** Several servers share one PostgreSQL database and the nodes. */
  readonly servers?: number;
  /** Wraps the transport to each node. */
  readonly through?: (agent: Transport, node: string) => Transport;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs?: number;
  /** How often the server reads nodes while a page is open. Reads are shared for a fifth of it. */
  readonly watchEveryMs?: number;
  readonly databaseLimits?: Partial<DatabaseLimits>;
  /** The duration of simulated operations as a fraction of a realistic one. */
  readonly timeScale?: number;
  /** More of the profile. */
  readonly profile?: Partial<Profile>;
}

export const demoProfile = await readProfile(join(repository, "src/demo/provider.toml"));

/**
 * A provider's server in this process, with the demo's nodes, a profile with these public facts, and the pages of the demo
 * for mails and for the modes of nodes.
 */
export async function profileServer(
  facts: Partial<Profile["facts"]> = {},
  { at, servers = 1, through = (agent) => agent, timeScale = 0.01, ...options }: ProfileServerOptions = {},
): Promise<ProfileServer> {
  await using parts = new AsyncDisposableStack();
  const dataDir =
    at?.kind === "sqlite" ? at.dataDir : await mkdtemp(join(scratchFolder(), "peerdeck-profile-"));
  if (at?.kind !== "sqlite") parts.defer(() => rm(dataDir, { recursive: true }));
  const ports = await Promise.all(Array.from({ length: servers }, freePort));
  const profile: Profile = {
    ...demoProfile,
    publicUrl: `http://127.0.0.1:${ports[0]}`,
    facts: { ...demoProfile.facts, ...facts },
    ...options.profile,
  };
  const silent = createLog("silent");
  const nodes = parts.use(await startDemoNodes({ profile, dataDir, log: silent, timeScale }));
  const transports = new Map([...nodes.transports].map(([node, agent]) => [node, through(agent, node)]));
  const lines: Array<Record<string, unknown>> = [];
  const urls: string[] = [];
  for (const port of ports) {
    const running = await startServer({
      ...options,
      environment: readEnvironment({
        PORT: String(port),
        DATA_DIR: dataDir,
        ...(at?.kind === "postgres" && postgresVariables(at.url)),
      }),
      profile,
      transports,
      webDir: join(repository, "build/web"),
      log: createLog("trace", {
        write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
      }),
      passwords: createFastPasswords(),
      extraRoutes: (outbox) => demoPages(outbox, nodes.switches),
    });
    parts.use(running);
    urls.push(running.url);
  }
  const all = parts.move();
  const [url = ""] = urls;
  return { url, urls, dataDir, log: lines, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
