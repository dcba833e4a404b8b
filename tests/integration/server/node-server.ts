/** A server in this process with the demo's profile and one of its nodes. */
import { join } from "node:path";
import type { Logger } from "pino";
import type { Transport } from "#contract/client.ts";
import { demoPages } from "#demo/pages.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { createLog } from "#server/log.ts";
import { type RunningServer, startServer } from "#server/start.ts";
import { postgresVariables } from "../../support/databases.ts";
import { createFastPasswords } from "../../support/fast-passwords.ts";
import { freePort } from "../../support/free-port.ts";
import { repository } from "../../support/repository.ts";
import { demoProfile } from "./profile-server.ts";

export interface NodeServerOptions {
  readonly node: string;
  readonly transport: Transport;
  readonly dataDir: string;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs?: number;
  /** Of PostgreSQL; by default the database is SQLite in `dataDir`. */
  readonly databaseUrl?: string;
  /** How often the server compares the node with the database, and collects its events. */
  readonly reconcileEveryMs?: number;
  /** How often the server reads the node while a page is open. Reads are shared for a fifth of it. */
  readonly watchEveryMs?: number;
  /** The protocol that the server speaks with the agent. */
  readonly protocol?: number;
  readonly log?: Logger;
}

export async function startNodeServer(options: NodeServerOptions): Promise<RunningServer> {
  const { node, transport, dataDir, databaseUrl, log = createLog("silent"), ...serverOptions } = options;
  const port = String(await freePort());
  return startServer({
    ...serverOptions,
    environment: readEnvironment({
      PORT: port,
      DATA_DIR: dataDir,
      LOG_LEVEL: "silent",
      ...(databaseUrl !== undefined && postgresVariables(databaseUrl)),
    }),
    profile: { ...demoProfile, publicUrl: `http://127.0.0.1:${port}` },
    transports: new Map([[node, transport]]),
    webDir: join(repository, "build/web"),
    log,
    demo: true,
    passwords: createFastPasswords(),
    extraRoutes: (outbox) => demoPages(outbox, []),
  });
}
