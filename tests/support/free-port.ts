import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Above 10080, the highest port that `fetch` and browsers refuse ("bad port"), and below the ports from which Linux takes those
 * of outgoing connections, which are many while tests run.
 */
const range = [10_081, 32_000] as const;

/** A program that was given a port may listen on it later. */
const given = new Set<number>();

/** Returns a TCP port of 127.0.0.1 that is currently unused, for a program that listens later. */
export async function freePort(): Promise<number> {
  const port = randomInt(...range);
  if (given.has(port)) return freePort();
  given.add(port);
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return freePort();
    throw error;
  }
  probe.close();
  await once(probe, "close");
  return port;
}
