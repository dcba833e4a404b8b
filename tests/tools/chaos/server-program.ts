/** Runs the demo as a process that can be killed, with the web app of WEB_DIR. Logs "ready" when it listens. */
import { start } from "#demo/start.ts";
import { readEnvironment } from "#server/config/environment.ts";
import { createLog } from "#server/log.ts";

const webDir = process.env["WEB_DIR"] ?? "";
// A deployment takes about three seconds, which leaves time for other steps.
const running = await start(readEnvironment(process.env), createLog("silent"), { timeScale: 4, webDir });
process.once("SIGTERM", () => void running[Symbol.asyncDispose]().then(() => process.exit(0)));
createLog("info").info("ready");
