/** Reads replies of BIRD's control socket as octets, exactly as BIRD sends them. */
import { connect } from "node:net";

/** A line that ends a reply: a code and a space. */
const lastLine = /^[0-9]{4} /;
const timeoutMs = 20_000;

/**
 * Sends commands at once on a connection of their own, so that BIRD does as little as possible between them. Resolves
 * with the lines of each reply.
 */
export function readRawReplies(socketPath: string, commands: readonly string[]): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const timer = setTimeout(() => socket.destroy(new Error(`no reply to ${commands[0]}`)), timeoutMs);
    let received: Buffer = Buffer.alloc(0);
    let scanned = 0;
    let isGreeted = false;
    const replies: Buffer[] = [];
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      reject(new Error(`BIRD closed the control socket before it replied to ${commands[0]}`));
    });
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (;;) {
        const end = received.indexOf("\n", scanned);
        if (end === -1) return;
        const isLast = lastLine.test(received.subarray(scanned, end).toString("latin1"));
        scanned = end + 1;
        if (!isLast) continue;
        if (isGreeted) replies.push(received.subarray(0, scanned));
        else socket.write(commands.map((command) => `${command}\n`).join(""));
        isGreeted = true;
        received = received.subarray(scanned);
        scanned = 0;
        if (replies.length < commands.length) continue;
        resolve(replies);
        socket.destroy();
        return;
      }
    });
  });
}
