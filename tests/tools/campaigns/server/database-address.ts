/**
 * The address that a provider's server has for its PostgreSQL. It leads to one cluster at a time, as a proxy or a
 * virtual address does, and a failover moves it. Open connections stay with the cluster that they were opened to.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface DatabaseAddress extends AsyncDisposable {
  readonly port: number;
  /** New connections lead to this port of the loopback interface from now on. */
  readonly moveTo: (upstream: number) => void;
}

export async function openDatabaseAddress(first: number): Promise<DatabaseAddress> {
  let upstream = first;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    // The close event reaches the other end.
    return socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = track(connect(upstream, "127.0.0.1"));
    track(near).pipe(far).pipe(near);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (port) => {
      upstream = port;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
