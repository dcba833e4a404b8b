/**
 * Relays connections between a host's network and this machine's, which share only the file system.
 *
 * Arguments: pairs of an address to listen on and an address to connect to, each `host:port` or the path of a
 * Unix socket. Prints "listening" when all of them listen.
 */
import { once } from "node:events";
import { connect, createServer, type ListenOptions, type Server } from "node:net";

/**
 * Relays connections.
 *
 * @param from the address to listen on
 * @param to the address to connect to
 */
export async function relay(from: string, to: string): Promise<Server> {
  const server = createServer((incoming) => {
    const outgoing = connect(parseSocketAddress(to));
    const end = () => {
      incoming.destroy();
      outgoing.destroy();
    };
    incoming.on("error", end).on("close", end).pipe(outgoing);
    outgoing.on("error", end).on("close", end).pipe(incoming);
  });
  server.listen(parseSocketAddress(from) satisfies ListenOptions);
  await once(server, "listening");
  return server;
}

function parseSocketAddress(
  address: string,
): { readonly path: string } | { readonly host: string; readonly port: number } {
  const [, host, port] = /^([^/]+):([0-9]+)$/.exec(address) ?? [];
  return host === undefined ? { path: address } : { host, port: Number(port) };
}

if (import.meta.main) {
  const addresses = process.argv.slice(2);
  for (let index = 0; index < addresses.length; index += 2)
    await relay(addresses[index] ?? "", addresses[index + 1] ?? "");
  process.stdout.write("listening\n");
}
