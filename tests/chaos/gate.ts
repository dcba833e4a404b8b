/** Stands between browser and server, and is the network: open, closed, or a line on which nothing is said. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type Network = "online" | "offline" | "hang";

export interface Gate extends AsyncDisposable {
  readonly url: string;
  /** Breaks the connections that are open. */
  readonly set: (network: Network) => void;
}

/** @param upstream the server's port */
export async function openGate(upstream: number): Promise<Gate> {
  let network: Network = "online";
  const sockets = new Set<Socket>();
  const own = (socket: Socket) => {
    sockets.add(socket);
    // Whoever is at the other end hears it by the close.
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((socket) => {
    own(socket);
    if (network === "offline") socket.resetAndDestroy();
    if (network !== "online") return;
    const onward = own(connect(upstream, "127.0.0.1"));
    socket.pipe(onward).pipe(socket);
    socket.on("close", () => onward.destroy());
    onward.on("close", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the gate has no port");
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    set(next) {
      network = next;
      cut();
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
