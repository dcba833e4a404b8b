import type { Agent } from "node:https";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Environment } from "../server/config/environment.ts";
import type { Profile } from "../server/config/profile.ts";
import { readProfile } from "../server/config/profile-file.ts";
import type { Passwords } from "../server/features/accounts/passwords.ts";
import { type RunningServer, startServer } from "../server/start.ts";
import { startDemoNodes } from "./nodes.ts";
import { demoPages } from "./pages.ts";

export interface DemoOptions {
  /** The folder of the built web app; the last build by default. */
  readonly webDir?: string;
  /** The length of a simulated second in seconds; 1 is realistic. */
  readonly timeScale?: number;
  /** How long a deployment waits for an unreachable node. */
  readonly waitMs?: number;
  /** How often the server observes every node. */
  readonly observeEveryMs?: number;
  /** How often the server observes nodes while a page is open. */
  readonly watchEveryMs?: number;
  /** An additional push service, and the HTTPS agent to reach it. */
  readonly push?: { readonly hosts: readonly string[]; readonly agent: Agent };
  /** How passwords are hashed; tests pass a fast way. */
  readonly passwords?: Passwords;
}

/** Short, so that a user of the demo sees a curve before the first minute is over. */
const observeEveryMs = 10_000;

/** Starts the complete demo: the server and, in the same process, the agents of six simulated nodes. */
export async function start(
  environment: Environment,
  log: Logger,
  options: DemoOptions = {},
): Promise<RunningServer> {
  const { host, port, dataDir } = environment;
  const profile: Profile = {
    ...(await readProfile(join(import.meta.dirname, "provider.toml"))),
    publicUrl: `http://${host}:${port}`,
    ...(options.push && { pushHosts: options.push.hosts }),
  };
  await using parts = new AsyncDisposableStack();
  const nodes = await startDemoNodes({ profile, dataDir, log, timeScale: options.timeScale ?? 1 });
  parts.use(nodes);
  const running = parts.use(
    await startServer({
      environment,
      profile,
      transports: nodes.transports,
      webDir: options.webDir ?? join(import.meta.dirname, "../../build/web"),
      log,
      demo: true,
      observeEveryMs: options.observeEveryMs ?? observeEveryMs,
      extraRoutes: (outbox) => demoPages(outbox, nodes.switches),
      ...(options.waitMs !== undefined && { waitMs: options.waitMs }),
      ...(options.watchEveryMs !== undefined && { watchEveryMs: options.watchEveryMs }),
      ...(options.push && { pushAgent: options.push.agent }),
      ...(options.passwords && { passwords: options.passwords }),
    }),
  );
  const all = parts.move();
  return { url: running.url, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Returns the welcome text of `npm start`. */
export function welcome(url: string, dataDir: string): string {
  return [
    "",
    `  Peerdeck demo   ${url}`,
    `  Demo mail       ${url}/demo/outbox`,
    `  Make nodes fail ${url}/demo`,
    `  Data            ${dataDir}`,
    "",
    "  Register as AS4242420001 and follow the link in the demo mail.",
    "",
    "",
  ].join("\n");
}
