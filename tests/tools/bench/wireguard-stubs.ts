/**
 * Stubs for the WireGuard of filler peerings: one process that implements WireGuard's userspace API for all of them. A
 * machine can run only about a hundred wireguard-go processes.
 *
 * Arguments: the FIFO with one interface name per line, and the folder of the sockets. An interface stores its
 * configuration and reports that its last handshake was a minute ago.
 * https://www.wireguard.com/xplatform/#cross-platform-userspace-implementation
 */
import { createReadStream } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Peer {
  readonly lines: Map<string, string>;
  allowedIps: string[];
}

interface Device {
  readonly lines: Map<string, string>;
  readonly peers: Map<string, Peer>;
}

const [fifo = "", folder = ""] = process.argv.slice(2);

function startStub(name: string): void {
  const device: Device = { lines: new Map(), peers: new Map() };
  createServer((socket) => handleConnection(socket, device)).listen(join(folder, `${name}.sock`));
}

function handleConnection(socket: Socket, device: Device): void {
  let text = "";
  socket.on("error", () => {});
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      if (lines[0] === "set=1") set(device, lines.slice(1));
      socket.write(`${lines[0] === "get=1" ? get(device) : ""}errno=0\n\n`);
    }
  });
}

function set(device: Device, lines: readonly string[]): void {
  let peer: Peer | undefined;
  for (const line of lines) {
    const [key = "", value = ""] = line.split("=");
    if (key === "replace_peers") device.peers.clear();
    else if (key === "public_key") peer = peerOf(device, value);
    else if (key === "remove" && peer) device.peers.delete(peer.lines.get("public_key") ?? "");
    else if (key === "replace_allowed_ips" && peer) peer.allowedIps = [];
    else if (key === "allowed_ip") peer?.allowedIps.push(value);
    else if (key !== "update_only") (peer?.lines ?? device.lines).set(key, value);
  }
}

function peerOf({ peers }: Device, key: string): Peer {
  const found = peers.get(key);
  if (found) return found;
  const lines = new Map([
    ["public_key", key],
    ["protocol_version", "1"],
    ["tx_bytes", "148"],
    ["rx_bytes", "92"],
  ]);
  const peer = { lines, allowedIps: [] };
  peers.set(key, peer);
  return peer;
}

const handshakeAgeMs = 60_000;

function get({ lines, peers }: Device): string {
  const handshake = Math.floor((Date.now() - handshakeAgeMs) / 1000);
  const times = `last_handshake_time_sec=${handshake}\nlast_handshake_time_nsec=0\n`;
  const ofPeers = Array.from(
    peers.values(),
    (peer) => textOf(peer.lines) + times + peer.allowedIps.map((one) => `allowed_ip=${one}\n`).join(""),
  );
  return textOf(lines) + ofPeers.join("");
}

function textOf(lines: ReadonlyMap<string, string>): string {
  return Array.from(lines, ([key, value]) => `${key}=${value}\n`).join("");
}

// Opened for writing too, because otherwise the stream ends with its first writer.
createInterface({ input: createReadStream(fifo, { flags: "r+" }) }).on("line", startStub);
process.stdout.write("ready\n");
