/** WebKitWebDriver, and the display that its browser needs. Xvfb provides one without privileges. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import { viewport } from "./engine.ts";

export interface WebKitDriver extends AsyncDisposable {
  readonly url: string;
}

export async function startWebKitDriver(): Promise<WebKitDriver> {
  await using parts = new AsyncDisposableStack();
  const config = await createConfigFolder();
  parts.defer(() => rm(config, { recursive: true }));
  const { width, height } = viewport;
  const xvfb = spawn(
    "Xvfb",
    // It chooses a free display and writes its number to file descriptor 3.
    ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  endWithThisProcess(xvfb);
  parts.defer(() => end(xvfb));
  const port = await freePort();
  const driver = spawn("/usr/bin/WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: `:${await readLine(xvfb, 3)}`,
      GDK_BACKEND: "x11",
      XDG_CONFIG_HOME: config,
      // With this locale, WebKit reports the language "C", which Intl does not accept.
      LC_ALL: "C.UTF-8",
      // Without a graphics card, compositing costs half as much again.
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    },
  });
  endWithThisProcess(driver);
  parts.defer(() => end(driver));
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (driver.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${driver.exitCode}`);
    await delay(20);
  }
  const started = parts.move();
  return { url, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** WebKitGTK takes `prefers-reduced-motion` from GTK's settings. */
async function createConfigFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "peerdeck-webkit-"));
  await mkdir(path.join(folder, "gtk-3.0"));
  await writeFile(path.join(folder, "gtk-3.0/settings.ini"), "[Settings]\ngtk-enable-animations=0\n");
  return folder;
}

async function readLine(child: ChildProcess, descriptor: number): Promise<string> {
  const pipe = child.stdio[descriptor];
  if (!pipe) throw new Error(`file descriptor ${descriptor} is not a pipe`);
  const [chunk] = (await once(pipe, "data")) as [Buffer];
  return chunk.toString().trim();
}

async function isReady(driver: string): Promise<boolean> {
  try {
    return (await fetch(`${driver}/status`)).ok;
  } catch {
    return false;
  }
}

/** A worker that is stopped leaves no process behind. */
function endWithThisProcess(child: ChildProcess): void {
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}
