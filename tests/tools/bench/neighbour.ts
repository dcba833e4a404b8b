/** A participant whose side of a peering is up and waits for the node. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBirdControl } from "#agent/drivers/bird/control-socket.ts";
import { parseSessions } from "#agent/drivers/bird/parse-session.ts";
import { participantInterface } from "#domain/peering/participant-names.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import { provider } from "#lab/network.ts";

export interface Neighbour {
  /** Restarts the tunnel and the session, as if the node had never been reachable. */
  readonly restart: () => Promise<void>;
  /** Resolves when the neighbour behaves like one that has waited for a long time. */
  readonly untilIdle: () => Promise<void>;
}

const pollMs = 50;
/**
 * Linux repeats a SYN 1, 2, 3, 4, 5, 7, 11 and 19 s after the first. A neighbour that has waited for minutes repeats it
 * once a minute, which does not speed up a run. This is the first interval without a repeat that is longer than a run.
 */
const quietFromMs = 5150;
const quietForMs = 350;

/** The neighbour is a participant that joined the node. Its BIRD has default timers. */
export function createNeighbour(host: LabHost, node: string): Neighbour {
  const name = participantInterface(provider.asn, node);
  const file = join(host.folder, "wireguard", `${name}.conf`);
  const bird = createBirdControl(`/proc/${host.pid}/root/run/bird/bird.ctl`);
  let connecting: Promise<number> = Promise.reject(new Error("the session was never started"));
  connecting.catch(() => {});

  async function untilConnecting(): Promise<number> {
    for (;;) {
      const [session] = parseSessions(await bird(`show protocols all ${name}`));
      if (session?.state === "Connect") return performance.now();
      await pause(pollMs);
    }
  }

  return {
    restart: async () => {
      await host.run("wg-quick", "down", file);
      await host.run("wg-quick", "up", file);
      await bird(`restart ${name}`);
      connecting = untilConnecting();
      // The last one is not awaited, and fails when the lab ends.
      connecting.catch(() => {});
    },
    untilIdle: async () => {
      const since = await connecting;
      const until = since + quietFromMs + Math.random() * quietForMs;
      await pause(Math.max(0, until - performance.now()));
    },
  };
}
