import type { Agent } from "node:https";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Environment } from "../server/config/environment.ts";
import type { Profile } from "../server/config/profile.ts";
import { readProfile } from "../server/config/profile-file.ts";
import { type RunningServer, startServer } from "../server/start.ts";
import { startDemoNodes } from "./nodes.ts";
import { demoPages } from "./pages.ts";

export interface DemoOptions {
  /** The folder of the built web app; that of the last build unless given. */
  readonly webDir?: string;
  /** How long the simulated routers take for what takes a second; 1 is believable. */
  readonly timeScale?: number;
  /** How long a deployment waits for a node that cannot be reached. */
  readonly waitMs?: number;
  /** How often the server looks at every node. */
  readonly observeEveryMs?: number;
  /** How often the server looks at nodes while a page is open. */
  readonly watchEveryMs?: number;
  /** A push service besides those of the browsers, and the way to it. */
  readonly push?: { readonly hosts: readonly string[]; readonly agent: Agent };
}

/** Whoever tries the demo wants to see a curve before the minute is over. */
const observeEveryMs = 10_000;

/** Starts the complete demo: the server, and beside it in the same process the agents of six simulated nodes. */
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
    }),
  );
  const all = parts.move();
  return { url: running.url, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** What a person who typed `npm start` wants to know. */
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
