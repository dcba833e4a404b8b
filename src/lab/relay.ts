/**
 * Carries connections between a host's network and the machine's, which share nothing but the file system.
 *
 * Arguments: pairs of a place to listen and a place to connect to, each `host:port` or a socket's path.
 * Prints "listening" when all do.
 */
import { once } from "node:events";
import { connect, createServer, type ListenOptions, type Server } from "node:net";

/** @param place `host:port`, or the path of a socket */
export async function relay(from: string, to: string): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(placeOf(to));
    const end = () => {
      near.destroy();
      far.destroy();
    };
    near.on("error", end).on("close", end).pipe(far);
    far.on("error", end).on("close", end).pipe(near);
  });
  server.listen(placeOf(from) satisfies ListenOptions);
  await once(server, "listening");
  return server;
}

function placeOf(
  place: string,
): { readonly path: string } | { readonly host: string; readonly port: number } {
  const [, host, port] = /^([^/]+):([0-9]+)$/.exec(place) ?? [];
  return host === undefined ? { path: place } : { host, port: Number(port) };
}

if (import.meta.main) {
  const places = process.argv.slice(2);
  for (let index = 0; index < places.length; index += 2)
    await relay(places[index] ?? "", places[index + 1] ?? "");
  process.stdout.write("listening\n");
}
