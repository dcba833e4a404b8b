/**
 * Writes log lines to standard output, one write at a time, while the program goes on.
 *
 * pino's own destination ends the program when a write fails, and on a full disk waits for space in its exit, forever. This
 * one keeps the lines that cannot be written, up to a limit, and tries again with the next line.
 */
import { write, writeSync } from "node:fs";

/** Later lines are dropped. */
const maxPendingBytes = 1024 * 1024;
const standardOutput = 1;
/** Standard output may be shared with a program that has made it non-blocking. */
const retryMs = 100;

export function createLogDestination(): { readonly write: (line: string) => void } {
  let lines: Buffer[] = [];
  let pendingBytes = 0;
  let isWriting = false;

  function writePending(): void {
    if (isWriting || lines.length === 0) return;
    isWriting = true;
    const chunk = Buffer.concat(lines);
    lines = [];
    write(standardOutput, chunk, (error, written) => {
      isWriting = false;
      const rest = chunk.subarray(written ?? 0);
      pendingBytes -= chunk.length - rest.length;
      if (rest.length > 0) lines.unshift(rest);
      if (error?.code === "EAGAIN") setTimeout(writePending, retryMs).unref();
      else if (!error) writePending();
    });
  }

  process.once("exit", () => {
    // A write in flight still ends.
    let rest = Buffer.concat(lines);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(standardOutput, rest));
    } catch {
      // The lines are lost.
    }
  });

  return {
    write: (line) => {
      if (pendingBytes > maxPendingBytes) return;
      const bytes = Buffer.from(line);
      lines.push(bytes);
      pendingBytes += bytes.length;
      writePending();
    },
  };
}
