/** The program of `npm start`: the provider's server with a configuration, the demo without one. */
import { readEnvironment, ConfigError } from "./server/config/environment.ts";
import { createLog } from "./server/log.ts";

try {
  const environment = readEnvironment(process.env);
  const running = environment.configPath === null ? await startDemo() : await startServer();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void running[Symbol.asyncDispose]().then(() => process.exit(0)));
  }

  async function startServer() {
    const { start } = await import("./server/provider-server.ts");
    return start(environment, createLog(environment.logLevel ?? "info"));
  }

  async function startDemo() {
    const { start, welcome } = await import("./demo/start.ts");
    const timeScale = Number(process.env["DEMO_TIME_SCALE"] ?? 1);
    const demo = await start(environment, createLog(environment.logLevel ?? "warn"), { timeScale });
    process.stdout.write(welcome(demo.url, environment.dataDir));
    return demo;
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
