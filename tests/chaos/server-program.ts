/** The demo as a process of its own, so that it can be killed. Says "ready" when it listens. */
import { start } from "../../src/demo/start.ts";
import { readEnvironment } from "../../src/server/config/environment.ts";
import { createLog } from "../../src/server/http/log.ts";

const webDir = process.env["WEB_DIR"];
// A deployment takes some three seconds: long enough for something to come in between.
const running = await start(readEnvironment(process.env), createLog("silent"), {
  timeScale: 4,
  ...(webDir !== undefined && { webDir }),
});
process.once("SIGTERM", () => void running[Symbol.asyncDispose]().then(() => process.exit(0)));
// Whoever started it may be killed as well.
process.stdin.on("close", () => process.exit()).resume();
process.stdout.write("ready\n");
