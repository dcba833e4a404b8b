import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { LabHost } from "../../src/lab/hosts/namespaces.ts";

export interface PingCounts {
  readonly sent: number;
  readonly received: number;
}

/** Sends fifty packets a second until the returned function is called, which returns the counts without a packet that ping did not wait for. */
export function startPing({ start }: LabHost, target: string): () => Promise<PingCounts> {
  const ping = start("ping", "-i0.02", target);
  if (!ping.stdout) throw new Error("ping has no output");
  const printed = text(ping.stdout);
  return async () => {
    // It is the child of the process that entered the namespaces.
    const child = await readFile(`/proc/${ping.pid}/task/${ping.pid}/children`, "utf8");
    process.kill(Number(child.trim()), "SIGINT");
    await once(ping, "exit");
    const output = await printed;
    const [, sent, received] = /(\d+) packets transmitted, (\d+) received/.exec(output) ?? [];
    const [, last] = Array.from(output.matchAll(/icmp_seq=(\d+)/g)).at(-1) ?? [];
    // The reply to the last packet may be on its way.
    const isAwaited = Number(last) === Number(sent) - 1;
    return { sent: Number(sent) - Number(isAwaited), received: Number(received) };
  };
}
