/** The program of `npm start`: the provider's server with a configuration, the demo without one; and its commands. */
import type { Logger } from "pino";
import { type Environment, readEnvironment } from "./server/config/environment.ts";
import { createLog } from "./server/log.ts";
import { runCommand } from "./server/commands/run-command.ts";
import { describeOperatorError } from "./server/start-error.ts";
import { stopServer } from "./server/stop-server.ts";
import { onStopSignal } from "./server/stop-signals.ts";
import { tolerateLostOutput } from "./system/lost-output.ts";

const print = (text: string) => void process.stdout.write(`${text}\n`);

tolerateLostOutput();
let settings: Environment | null = null;
try {
  const environment = readEnvironment(process.env);
  settings = environment;
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) await runServer();
  else process.exitCode = await runCommand(command, args, environment, print);

  async function runServer() {
    const isDemo = environment.configPath === null;
    const log = createLog(environment.logLevel ?? (isDemo ? "warn" : "info"));
    const running = isDemo ? await startDemo(log) : await startServer(log);
    const stop = async () =>
      process.exit(await stopServer(running, { log, timeoutMs: environment.stopTimeoutMs }));
    onStopSignal(() => void stop());
  }

  async function startServer(log: Logger) {
    const { start } = await import("./server/provider-server.ts");
    return start(environment, log);
  }

  async function startDemo(log: Logger) {
    const { assertDemoWanted } = await import("./demo/demo-wanted.ts");
    assertDemoWanted(environment, process.env["PEERDECK_DEMO"] === "1");
    const { start, welcome } = await import("./demo/start.ts");
    const timeScale = Number(process.env["DEMO_TIME_SCALE"] ?? 1);
    const demo = await start(environment, log, {
      timeScale,
      withHistory: true,
    });
    process.stdout.write(welcome(demo.url, environment.dataDir));
    return demo;
  }
} catch (error) {
  const sentence = describeOperatorError(error, settings);
  if (sentence === null) throw error;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
