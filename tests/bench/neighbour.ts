/** A participant whose side of a peering is up and waits for the node's. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBirdControl } from "../../src/agent/drivers/bird/control-socket.ts";
import { parseProtocols } from "../../src/agent/drivers/bird/parse-protocols.ts";
import { participantInterface } from "../../src/domain/participant-config.ts";
import type { LabHost } from "../../src/lab/namespaces.ts";

export interface Neighbour {
  /** Takes the tunnel down and up and starts the session anew, as if the node had never been there. */
  readonly startAnew: () => Promise<void>;
  /** Resolves when it is as one that has waited long. */
  readonly waiting: () => Promise<void>;
}

const lookMs = 50;
/**
 * Linux repeats a SYN 1, 2, 3, 4, 5, 7, 11 and 19 s after the first. A neighbour that has waited for minutes repeats
 * it once a minute, so that it helps nobody; this is the first time at which none comes while a run lasts.
 */
const quietFromMs = 11_500;
const quietForMs = 2000;

/** Of a participant that joined the node; its BIRD has its default timers. */
export function neighbourOf(host: LabHost, node: string): Neighbour {
  const name = participantInterface(node);
  const file = join(host.folder, "wireguard", `${name}.conf`);
  const bird = createBirdControl(`/proc/${host.pid}/root/run/bird/bird.ctl`);
  let connecting: Promise<number> = Promise.reject(new Error("it was never started"));
  connecting.catch(() => {});

  async function untilConnecting(): Promise<number> {
    for (;;) {
      const [session] = parseProtocols(await bird(`show protocols ${name}`));
      if (session?.state === "Connect") return performance.now();
      await pause(lookMs);
    }
  }

  return {
    startAnew: async () => {
      await host.run("wg-quick", "down", file);
      await host.run("wg-quick", "up", file);
      await bird(`restart ${name}`);
      connecting = untilConnecting();
      // The last one is not waited for, and the lab ends under it.
      connecting.catch(() => {});
    },
    waiting: async () => {
      const since = await connecting;
      const until = since + quietFromMs + Math.random() * quietForMs;
      await pause(Math.max(0, until - performance.now()));
    },
  };
}
