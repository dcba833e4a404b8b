/** A relay between a client and a server, which can lead elsewhere and imitate networks that fail. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A port of the loopback interface; `refuse` resets connections, and `hang` accepts them and carries nothing. */
export type RelayTarget = number | "refuse" | "hang";

export interface TcpRelay extends AsyncDisposable {
  readonly port: number;
  /** New connections lead there from now on. Open connections stay with the server that they were opened to. */
  readonly moveTo: (target: RelayTarget) => void;
  readonly resetConnections: () => void;
  /** The URL of the server through the relay. */
  readonly through: (serverUrl: string) => string;
  /** Open connections stay open and carry nothing more. New connections work. */
  readonly fallSilent: () => void;
  /** From now on a connection on which the client sends this text delivers it, and no response after it. Null: none. */
  readonly silenceAfter: (text: string | null) => void;
}

export async function openTcpRelay(first: RelayTarget): Promise<TcpRelay> {
  let target = first;
  let silencing: string | null = null;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    // The close event reaches the other end.
    return socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const resetConnections = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((near) => {
    track(near);
    if (target === "refuse") near.resetAndDestroy();
    if (typeof target === "string") return;
    const far = track(connect(target, "127.0.0.1"));
    near.pipe(far).pipe(near);
    near.prependListener("data", (data: Buffer) => {
      if (silencing !== null && data.includes(silencing)) far.unpipe().pause();
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    moveTo: (next) => {
      target = next;
    },
    resetConnections,
    through: (serverUrl) => Object.assign(new URL(serverUrl), { port: String(port) }).href,
    fallSilent: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    silenceAfter: (text) => {
      silencing = text;
    },
    async [Symbol.asyncDispose]() {
      resetConnections();
      server.close();
      await once(server, "close");
    },
  };
}
