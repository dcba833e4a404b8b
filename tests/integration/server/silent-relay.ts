/** Stands between a server and its database, and can be a network that carries nothing more and says nothing of it. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SilentRelay extends AsyncDisposable {
  /** The database's URL, by way of the relay. */
  readonly url: string;
  /** The connections that are open stay so, and nothing comes through; new ones are as ever. */
  fallSilent(): void;
}

export async function openSilentRelay(databaseUrl: string): Promise<SilentRelay> {
  const url = new URL(databaseUrl);
  const upstream = Number(url.port);
  const sockets = new Set<Socket>();
  const own = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => undefined);
  };
  const server = createServer((near) => {
    const far = own(connect(upstream, "127.0.0.1"));
    own(near).pipe(far).pipe(near);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    fallSilent() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
