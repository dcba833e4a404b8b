/** What a sequence happens to: a server that can be killed, a network that can fail, a browser with its profile. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../setup/free-port.ts";
import { type Device, openDevice } from "./device.ts";
import { type Gate, type Network, openGate } from "./gate.ts";
import { settle } from "./people.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

export interface World extends AsyncDisposable {
  readonly url: string;
  readonly device: Device;
  readonly setNetwork: (network: Network) => Promise<void>;
  readonly killServer: () => Promise<void>;
  readonly startServer: () => Promise<void>;
  /** The server starts again, with the next version of the app. */
  readonly update: () => Promise<void>;
  /** A line for the person who reads what happened. */
  readonly say: (text: string) => void;
}

/** A data folder in which both people have an account and a peering. */
export async function prepareData(webDir: string): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-chaos-data-"));
  const port = await freePort();
  const server = await startServer({ port, dataDir: folder, webDir });
  await settle(`http://127.0.0.1:${port}`);
  await server.stop();
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

export interface WorldOptions {
  /** Folders of built web apps, the first to begin with. */
  readonly versions: readonly string[];
  /** A prepared data folder; it is copied. */
  readonly data: string;
  readonly say: (text: string) => void;
}

export async function createWorld({ versions, data, say }: WorldOptions): Promise<World> {
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
  const [gate]: [Gate, void] = await Promise.all([openGate(port), start()]);
  parts.use(gate);
  const device = parts.use(await openDevice(gate.url, join(folder, "profile")));
  const all = parts.move();
  return {
    url: gate.url,
    device,
    say,
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
