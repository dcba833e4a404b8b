/** Clients that occupy the port of an agent. */
import { connect as connectTcp, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { TlsIdentity } from "#mtls/tls-identity.ts";

export type Attack = "silent" | "half a handshake" | "slow handshake" | "pinned but idle";

export interface AttackOptions {
  readonly port: number;
  readonly attack: Attack;
  readonly connections: number;
  /** The number of addresses of the attackers. A single one is that of the server, too. */
  readonly addresses: number;
  /** The identity of a pinned client. */
  readonly identity: TlsIdentity;
}

const retryMs = 1_000;

/**
 * Opens the connections, and each again a second after it was ended. Resolves when every connection was accepted once.
 * Disposal ends them.
 */
export async function startAttack(options: AttackOptions): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const hello = await createClientHello();
  let isEnding = false;

  function open(index: number, onConnected: () => void): void {
    if (isEnding) return;
    const localAddress = `127.0.0.${1 + (index % options.addresses)}`;
    const socket = connectAs({ ...options, localAddress, hello, onConnected });
    sockets.add(socket);
    socket.on("error", () => {});
    socket.resume();
    socket.once("close", () => {
      sockets.delete(socket);
      setTimeout(open, retryMs, index, onConnected).unref();
    });
  }

  await Promise.all(
    Array.from({ length: options.connections }, (_, index) => new Promise<void>((done) => open(index, done))),
  );
  return {
    async [Symbol.asyncDispose]() {
      isEnding = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Connection extends AttackOptions {
  readonly localAddress: string;
  readonly hello: Buffer;
  readonly onConnected: () => void;
}

function connectAs({ port, attack, identity, localAddress, hello, onConnected }: Connection): Socket {
  const to = { host: "127.0.0.1", port, localAddress };
  if (attack === "pinned but idle") {
    const { privateKey: key, certificate: cert } = identity;
    return connectTls({ ...to, key, cert, rejectUnauthorized: false }, onConnected);
  }
  const socket = connectTcp(to, () => {
    onConnected();
    if (attack === "half a handshake") socket.write(hello);
    if (attack === "slow handshake") sendSlowly(socket, hello);
  });
  return socket;
}

/** One byte in each interval. */
export function sendSlowly(socket: Socket, bytes: Buffer, intervalMs = 1_000): void {
  let sent = 0;
  const timer = setInterval(() => {
    socket.write(bytes.subarray(sent, sent + 1));
    sent += 1;
  }, intervalMs);
  socket.once("close", () => clearInterval(timer));
}

/** The first message of a TLS client. */
function createClientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const transport = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        resolve(chunk);
        done();
      },
    });
    connectTls({ socket: transport, rejectUnauthorized: false });
  });
}
