/** An installation of the benchmark: a filled database, 64 agents, and the provider's server as its own process. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { halfHourMs } from "#contract/history.ts";
import { openServerIdentity } from "#server/provider-server.ts";
import { runProgram } from "#tests/integration/provider/program.ts";
import { setUpProvider } from "#tests/integration/provider/provider.ts";
import type { AgentsOptions } from "./agents.ts";
import { readProcessCpu } from "./cpu.ts";
import { createDatabase, type DatabaseKind, type ScaleDatabase } from "./databases.ts";
import { type Filled, fillDatabase } from "./fill.ts";
import { nodeNames } from "./layout.ts";
import { openProbe, type Probe } from "./probe-client.ts";

export interface Installation extends AsyncDisposable {
  readonly peerings: number;
  readonly kind: DatabaseKind;
  readonly database: ScaleDatabase;
  readonly url: string;
  readonly pid: number;
  readonly cookies: Filled["cookies"];
  readonly probe: Probe;
  /** When the server's jobs started, as `performance.now()`: some of them run every minute from then on. */
  readonly startedAt: number;
  /** When each task ended, by the system's clock in milliseconds, by ID. */
  readonly readTaskEnds: () => Promise<ReadonlyMap<string, number>>;
}

/** The server starts so long before the end of a half hour, which its second observation then sees. */
const beforeHalfHourMs = 40_000;

export async function startInstallation(peerings: number, kind: DatabaseKind): Promise<Installation> {
  await using parts = new AsyncDisposableStack();
  // On a disk, unlike the databases of tests: writing is part of what is measured.
  const dataDir = await mkdtemp(join(tmpdir(), "peerdeck-scale-"));
  parts.defer(() => rm(dataDir, { recursive: true, force: true }));
  const provider = parts.use(await setUpProvider(nodeNames));
  await cp(provider.serverDir, dataDir, { recursive: true });
  const halfHour = Date.now() - (Date.now() % halfHourMs);
  const now = halfHour - beforeHalfHourMs - 60_000;
  const database = parts.use(await createDatabase(kind, dataDir));
  const { cookies, identity } = await fillDatabase({ at: database.at, peerings, now });
  await database.analyze();
  const { fingerprint } = await openServerIdentity(dataDir);
  const options: AgentsOptions = {
    agents: provider.agents,
    peerings,
    database: identity,
    server: fingerprint,
  };
  const agents = parts.use(
    runProgram("tests/tools/bench/scale/agents.ts", { SCALE_AGENTS: JSON.stringify(options) }),
  );
  await agents.logged("the agents are listening");
  const socket = join(dataDir, "probe");
  const clockShiftMs = halfHour - beforeHalfHourMs - Date.now();
  const program = provider.launchServer({
    ...database.settings,
    DATA_DIR: dataDir,
    LOG_LEVEL: "info",
    // The first is that of npm start.
    NODE_OPTIONS: `--max-semi-space-size=2 --import ${join(import.meta.dirname, "server-probe.ts")}`,
    SCALE_PROBE: socket,
    SCALE_CLOCK_SHIFT: String(clockShiftMs),
    SCALE_DATABASE_PID: String(database.pid ?? 0),
  });
  const { url } = await program.logged("the server is listening");
  const { pid } = program;
  const startedAt = performance.now();
  await waitUntilQuiet(pid);
  const all = parts.move();
  return {
    peerings,
    kind,
    database,
    url: String(url),
    pid,
    cookies,
    probe: openProbe(socket),
    startedAt,
    readTaskEnds: async () => {
      const rows = await database.query("SELECT id, ended_at FROM tasks WHERE ended_at IS NOT NULL");
      return new Map(rows.map(({ id, ended_at: at }) => [String(id), Number(at) - clockShiftMs]));
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Resolves when the process has used less than a twentieth of a core for a second. */
export async function waitUntilQuiet(pid: number): Promise<void> {
  const stepMs = 250;
  for (let quiet = 0, before = readProcessCpu(pid); quiet < 4;) {
    await pause(stepMs);
    const now = readProcessCpu(pid);
    quiet = now - before < stepMs / 20 ? quiet + 1 : 0;
    before = now;
  }
}
