/**
 * A node as its configuration describes it: its own addresses, the router, and the ROAs that its filters ask.
 *
 * Invariant: BIRD is told to read its configuration by one of them at a time, deployments or ROAs.
 */
import { systemClock } from "../../clock.ts";
import type { AgentConfig } from "../../config/agent-config.ts";
import type { Log } from "../../log.ts";
import { runProcess } from "../../processes.ts";
import { createExclusive } from "../../reconcile/exclusive.ts";
import { fetchText } from "../../roa/fetch-text.ts";
import { watchRoas } from "../../roa/watch-roas.ts";
import { createBirdControl } from "../bird/control-socket.ts";
import type { Router } from "../router.ts";
import { createLinuxRouter } from "./linux-router.ts";
import { addOwnAddresses } from "./own-addresses.ts";

export interface LinuxNodeOptions {
  readonly node: string;
  readonly providerAsn: string;
  readonly stateDir: string;
  readonly linux: AgentConfig["linux"];
  readonly log: Log;
}

export async function openLinuxNode({ linux, log, ...options }: LinuxNodeOptions): Promise<Router> {
  const { bird_dir: birdDir, bird_socket: birdSocket, roa } = linux;
  await addOwnAddresses(runProcess, linux.addresses);
  const router = await createLinuxRouter({
    ...options,
    birdDir,
    birdSocket,
    tunnels: linux.tunnels,
    run: runProcess,
    clock: systemClock,
    log,
  });
  if (roa.ipv4 === undefined && roa.ipv6 === undefined) return router;
  const exclusive = createExclusive();
  const roas = watchRoas({
    sources: roa,
    folders: { roaDir: roa.dir, birdDir },
    everyMinutes: roa.every_minutes,
    bird: createBirdControl(birdSocket),
    exclusive,
    read: fetchText,
    clock: systemClock,
    log,
  });
  return {
    ...router,
    set: (desired, report) => exclusive(() => router.set(desired, report)),
    health: async () => {
      const health = await router.health();
      return { ...health, issues: [...health.issues, ...roas.issues()] };
    },
    [Symbol.asyncDispose]: async () => {
      await roas[Symbol.asyncDispose]();
      await router[Symbol.asyncDispose]();
    },
  };
}
