/** Servers in this process that share one set of simulated nodes; several of them share one PostgreSQL database. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startDemoNodes } from "#demo/nodes.ts";
import { demoPages } from "#demo/pages.ts";
import { readEnvironment } from "#server/config/environment.ts";
import type { Profile } from "#server/config/profile.ts";
import { readProfile } from "#server/config/profile-file.ts";
import type { DatabaseLimits } from "#server/db/database-limits.ts";
import { createLog } from "#server/log.ts";
import { startServer } from "#server/start.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

export interface SharedNetwork extends AsyncDisposable {
  /** Where each server listens. */
  readonly urls: readonly string[];
  readonly dataDir: string;
  /** The log lines of each server so far, parsed. */
  readonly logs: ReadonlyArray<ReadonlyArray<Readonly<Record<string, unknown>>>>;
}

const root = join(import.meta.dirname, "../../..");
/** Networks on one database are started one after the other, each in a folder of its own. */
const secret = Buffer.alloc(32, 1).toString("base64");

export interface NetworkOptions {
  readonly servers?: number;
  /** A node of the demo that is not in the profile. */
  readonly without?: string;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs?: number;
  readonly databaseLimits?: Partial<DatabaseLimits>;
}

/** @param databaseUrl null for one server on SQLite */
export async function sharedNetwork(
  databaseUrl: string | null,
  { servers = 1, without, waitMs, databaseLimits }: NetworkOptions = {},
): Promise<SharedNetwork> {
  await using parts = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(scratchFolder(), "peerdeck-shared-"));
  parts.defer(() => rm(dataDir, { recursive: true }));
  const demo = await readProfile(join(root, "src/demo/provider.toml"));
  const profile: Profile = {
    ...demo,
    publicUrl: "http://127.0.0.1",
    nodes: demo.nodes.filter(({ name }) => name !== without),
  };
  const silent = createLog("silent");
  const nodes = parts.use(await startDemoNodes({ profile, dataDir, log: silent, timeScale: 0.1 }));
  const urls: string[] = [];
  const logs: Array<Array<Record<string, unknown>>> = [];
  for (let index = 0; index < servers; index += 1) {
    const lines: Array<Record<string, unknown>> = [];
    const running = await startServer({
      environment: readEnvironment({
        PORT: "0",
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl ?? "",
        PEERDECK_SECRET: secret,
      }),
      profile,
      transports: nodes.transports,
      webDir: join(root, "build/web"),
      log: createLog("trace", {
        write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
      }),
      demo: true,
      passwords: createFastPasswords(),
      ...(waitMs !== undefined && { waitMs }),
      ...(databaseLimits && { databaseLimits }),
      extraRoutes: (outbox) => demoPages(outbox, nodes.switches),
    });
    parts.use(running);
    urls.push(running.url);
    logs.push(lines);
  }
  const all = parts.move();
  return { urls, dataDir, logs, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
