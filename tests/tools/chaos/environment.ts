/** The environment of a sequence: a server that can be killed, a network that can fail, a browser with its profile. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { type Device, openDevice } from "./device.ts";
import { type NetworkGate, type Network, openNetworkGate } from "./network-gate.ts";
import { registerParticipants } from "./participants.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

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
  await server.stop();
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
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
  let server: ServerProcess | null = null;
  const kill = async () => {
    await server?.kill();
    server = null;
  };
  const start = async () => {
    server = await startServer({ port, dataDir, webDir: versions[version % versions.length] ?? "" });
  };
  parts.defer(kill);
  const [gate]: [NetworkGate, void] = await Promise.all([openNetworkGate(port), start()]);
  parts.use(gate);
  const device = parts.use(await openDevice(gate.url, join(folder, "profile")));
  const all = parts.move();
  return {
    url: gate.url,
    device,
    dataDir,
    log,
    setNetwork: async (network) => {
      gate.set(network);
      await device.setOffline(network === "offline");
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
