/** The environment of a sequence: a server that can be killed, a network that can fail, a browser with its profile. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Program, runProgram } from "../../integration/provider/program.ts";
import { freePort } from "../../support/free-port.ts";
import { openTcpRelay } from "../../support/tcp-relay.ts";
import { type Device, openDevice } from "./device.ts";
import { registerParticipants } from "./participants.ts";
import type { Network } from "./model.ts";

export interface Environment extends AsyncDisposable {
  readonly url: string;
  readonly device: Device;
  /** The server's data folder. */
  readonly dataDir: string;
  readonly setNetwork: (network: Network) => Promise<void>;
  readonly killServer: () => Promise<void>;
  readonly startServer: () => Promise<void>;
  /** Restarts the server with the next version of the app. */
  readonly update: () => Promise<void>;
  /** Records the name of a step. */
  readonly log: (text: string) => void;
}

/** Creates a data folder in which both participants have an account and a peering. */
export async function prepareData(webDir: string): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-chaos-data-"));
  const port = await freePort();
  const server = await startServer({ port, dataDir: folder, webDir });
  await registerParticipants(`http://127.0.0.1:${port}`);
  await server.end("SIGTERM");
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

interface ServerOptions {
  readonly port: number;
  readonly dataDir: string;
  /** The folder of a built web app. */
  readonly webDir: string;
}

/** Starts the demo as a process, and resolves when it listens. */
async function startServer({ port, dataDir, webDir }: ServerOptions): Promise<Program> {
  const environment = { PORT: String(port), DATA_DIR: dataDir, WEB_DIR: webDir };
  const program = runProgram("tests/tools/chaos/server-program.ts", environment);
  await program.logged("ready");
  return program;
}

export interface EnvironmentOptions {
  /** Folders of built web apps. The server starts with the first. */
  readonly versions: readonly string[];
  /** A prepared data folder, which is copied. */
  readonly data: string;
  readonly log: (text: string) => void;
}

export async function createEnvironment({ versions, data, log }: EnvironmentOptions): Promise<Environment> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-chaos-"));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  await cp(data, dataDir, { recursive: true });
  const port = await freePort();
  let version = 0;
  let server: Program | null = null;
  const kill = async () => {
    await server?.end("SIGKILL");
    server = null;
  };
  const start = async () => {
    server = await startServer({ port, dataDir, webDir: versions[version % versions.length] ?? "" });
  };
  parts.defer(kill);
  await start();
  const network = parts.use(await openTcpRelay(port));
  const url = `http://127.0.0.1:${network.port}`;
  const device = parts.use(await openDevice(url, join(folder, "profile")));
  const all = parts.move();
  return {
    url,
    device,
    dataDir,
    log,
    setNetwork: async (next) => {
      network.moveTo(next === "online" ? port : next === "offline" ? "refuse" : next);
      network.resetConnections();
      await device.setOffline(next === "offline");
    },
    killServer: kill,
    startServer: start,
    update: async () => {
      version += 1;
      await kill();
      await start();
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
