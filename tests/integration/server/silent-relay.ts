/** A relay between a server and its database that can drop all traffic without closing connections. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SilentRelay extends AsyncDisposable {
  /** The database's URL through the relay. */
  readonly url: string;
  /** Open connections stay open and carry nothing; new connections work. */
  fallSilent(): void;
  /** Like `fallSilent`, and new connections carry nothing either. */
  fallSilentForGood(): void;
  /** From now on a connection on which the server sends this text delivers it, and no response after it. Null: none. */
  silenceAfter(text: string | null): void;
}

export async function openSilentRelay(databaseUrl: string): Promise<SilentRelay> {
  const url = new URL(databaseUrl);
  const upstream = Number(url.port);
  const sockets = new Set<Socket>();
  let silencing: string | null = null;
  let silentForGood = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => undefined);
  };
  function fallSilent(): void {
    for (const socket of sockets) socket.unpipe().pause();
  }
  const server = createServer((near) => {
    if (silentForGood) return void track(near).pause();
    const far = track(connect(upstream, "127.0.0.1"));
    track(near).pipe(far).pipe(near);
    near.prependListener("data", (data: Buffer) => {
      if (silencing !== null && data.includes(silencing)) far.unpipe().pause();
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    fallSilent,
    fallSilentForGood() {
      silentForGood = true;
      fallSilent();
    },
    silenceAfter(text) {
      silencing = text;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
