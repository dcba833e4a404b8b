/** Runs the demo as a separate process that can be killed. Prints "ready" when it listens. */
import { start } from "#demo/start.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { createLog } from "#server/log.ts";

const webDir = process.env["WEB_DIR"];
// A deployment takes about three seconds, which leaves time for other steps.
const running = await start(readEnvironment(process.env), createLog("silent"), {
  timeScale: 4,
  ...(webDir !== undefined && { webDir }),
});
process.once("SIGTERM", () => void running[Symbol.asyncDispose]().then(() => process.exit(0)));
// Exits when the parent process is killed.
process.stdin.on("close", () => process.exit()).resume();
process.stdout.write("ready\n");
