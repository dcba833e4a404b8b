/** A TCP proxy between browser and server that imitates the network: online, offline or hanging. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type Network = "online" | "offline" | "hang";

export interface NetworkGate extends AsyncDisposable {
  readonly url: string;
  /** Sets the state and resets all open connections. */
  readonly set: (network: Network) => void;
}

/** @param upstream the server's port */
export async function openNetworkGate(upstream: number): Promise<NetworkGate> {
  let network: Network = "online";
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    // The close event reaches the other end.
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((socket) => {
    track(socket);
    if (network === "offline") socket.resetAndDestroy();
    if (network !== "online") return;
    const onward = track(connect(upstream, "127.0.0.1"));
    socket.pipe(onward).pipe(socket);
    socket.on("close", () => onward.destroy());
    onward.on("close", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the gate has no port");
  const resetConnections = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    set(next) {
      network = next;
      resetConnections();
    },
    async [Symbol.asyncDispose]() {
      resetConnections();
      server.close();
      await once(server, "close");
    },
  };
}
