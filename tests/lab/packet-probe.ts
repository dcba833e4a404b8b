/**
 * Sends or receives packets in a host's namespaces. Arguments: `listen` or `send`, and a JSON list.
 *
 * `listen` takes `{ protocol, port }`, prints `{ ready: true }`, and the label of each datagram as a line.
 * `send` takes probes, sends datagrams in the given order, and prints the labels of the TCP connections that
 * were accepted.
 */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer } from "node:net";

export interface ProbePort {
  readonly protocol: "tcp" | "udp";
  readonly port: number;
}

export interface Probe extends ProbePort {
  readonly label: string;
  /** The source address, which the sender must have. */
  readonly from: string;
  /** The source port of a datagram; any free one by default. */
  readonly fromPort?: number | undefined;
  readonly to: string;
}

const connectTimeoutMs = 1500;
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

async function listen(ports: readonly ProbePort[]): Promise<void> {
  for (const { protocol, port } of ports) {
    if (protocol === "tcp") {
      const server = createServer((socket) => socket.on("error", () => {}).resume());
      server.listen(port, "::");
      await once(server, "listening");
    } else {
      const socket = createSocket({ type: "udp6", reuseAddr: true });
      socket.on("message", (label) => print(label.toString()));
      socket.bind(port, "::");
      await once(socket, "listening");
    }
  }
  print({ ready: true });
}

async function send(probes: readonly Probe[]): Promise<void> {
  const connections = probes.filter(({ protocol }) => protocol === "tcp").map(connectsTo);
  for (const probe of probes.filter(({ protocol }) => protocol === "udp")) await sendDatagram(probe);
  print((await Promise.all(connections)).flat());
}

function connectsTo({ label, from, to, port }: Probe): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const socket = connect({ host: to, port, localAddress: from });
    const finish = (labels: readonly string[]) => {
      socket.destroy();
      resolve(labels);
    };
    socket.once("connect", () => finish([label])).once("error", () => finish([]));
    setTimeout(() => finish([]), connectTimeoutMs).unref();
  });
}

async function sendDatagram({ label, from, fromPort = 0, to, port }: Probe): Promise<void> {
  // The port may be one on which the host listens.
  const socket: Socket = createSocket({ type: to.includes(":") ? "udp6" : "udp4", reuseAddr: true });
  socket.bind(fromPort, from);
  await once(socket, "listening");
  await new Promise<void>((resolve, reject) => {
    socket.send(label, port, to, (error) => (error ? reject(error) : resolve()));
  });
  socket.close();
}

const [role, list = "[]"] = process.argv.slice(2);
if (role === "listen") await listen(JSON.parse(list) as readonly ProbePort[]);
else await send(JSON.parse(list) as readonly Probe[]);
