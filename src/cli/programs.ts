/** What runs until a signal stops it: the server and the demo. */
import type { Logger } from "pino";
import { ConfigError } from "#system/config/config-error.ts";
import { runOk, runProcess } from "#system/processes.ts";
import type { Environment } from "#server/config/environment.ts";
import { createLog } from "#server/log.ts";
import { stopServer } from "#server/stop-server.ts";
import { onStopSignal } from "#server/stop-signals.ts";

type Program = (environment: Environment) => Promise<void>;

/** Returns the program of this name, or null if it is a command's. `start` is that of `npm start`. */
export function findProgram(name: string, args: readonly string[], environment: Environment): Program | null {
  const wanted = name === "start" ? (environment.configPath === null ? "demo" : "server") : name;
  const program = wanted === "server" ? runServer : wanted === "demo" ? runDemo : null;
  if (program && args.length > 0)
    throw new ConfigError(`peerdeck ${name} takes no arguments: its settings are environment variables.`);
  return program;
}

async function runServer(environment: Environment): Promise<void> {
  const { start } = await import("#server/provider-server.ts");
  const log = createLog(environment.logLevel ?? "info");
  stopOnSignal(await start(environment, log), environment, log);
  await notifySystemd(log);
}

async function runDemo(environment: Environment): Promise<void> {
  const { assertDemoWanted } = await import("#demo/demo-wanted.ts");
  assertDemoWanted(environment, process.env["PEERDECK_DEMO"] === "1");
  const { start, welcome } = await import("#demo/start.ts");
  const log = createLog(environment.logLevel ?? "warn");
  const timeScale = Number(process.env["DEMO_TIME_SCALE"] ?? 1);
  const demo = await start(environment, log, { timeScale, withHistory: true });
  stopOnSignal(demo, environment, log);
  process.stdout.write(welcome(demo.url, environment.dataDir));
}

/** Lets `systemctl start` end: its unit waits until the server listens. */
async function notifySystemd(log: Logger): Promise<void> {
  if (process.env["NOTIFY_SOCKET"] === undefined) return;
  try {
    await runOk(runProcess, "systemd-notify", ["--ready"], { environment: process.env });
  } catch (error) {
    log.error({ err: error }, "systemd does not know that the server is listening");
  }
}

function stopOnSignal(running: AsyncDisposable, { stopTimeoutMs }: Environment, log: Logger): void {
  const stop = async () => process.exit(await stopServer(running, { log, timeoutMs: stopTimeoutMs }));
  onStopSignal(() => void stop());
}
