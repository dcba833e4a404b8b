/**
 * Restarts handshakes that got stuck. Two ends that start a handshake at the same moment drop each other's
 * message and wait for WireGuard's retry after five seconds. Removing and adding the peer starts a new
 * handshake at once.
 */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { type Run, runOk } from "#system/processes.ts";
import type { RoutedPeering } from "../router.ts";
import type { InterfaceCommands } from "./interface-commands.ts";
import { configFor, renderConfig } from "./render.ts";
import type { TunnelKeys } from "./tunnel-keys.ts";

export interface HandshakeKick extends AsyncDisposable {
  /** Monitors the handshakes of changed tunnels; returns at once. */
  readonly watch: (restarted: readonly RoutedPeering[]) => void;
  /** Stops the current work, so that no tunnel is modified while it is being changed. */
  readonly stop: () => Promise<void>;
  /** Whether a tunnel may temporarily be without its peer. */
  readonly isBusy: () => boolean;
}

const graceMs = 300;

export function createHandshakeKick(options: {
  readonly run: Run;
  readonly commands: InterfaceCommands;
  readonly keys: Pick<TunnelKeys, "privateKeyOf">;
  readonly clock: Clock;
  readonly log: Log;
}): HandshakeKick {
  const { run, commands, keys, clock, log } = options;
  let stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let activeKicks = 0;

  async function kick(restarted: readonly RoutedPeering[], signal: AbortSignal): Promise<void> {
    await clock.sleep(graceMs, signal);
    for (const routed of restarted) {
      if (signal.aborted) return;
      const name = interfaceName(routed.peering.asn);
      const config = configFor(routed, keys.privateKeyOf(routed));
      // Only the other end can start the handshake, and the removal of the peer would end it.
      if (config.peers.every(({ endpoint }) => endpoint === null)) continue;
      const handshakes = await runOk(run, "wg", ["show", name, "latest-handshakes"]);
      if (!/\t0$/m.test(handshakes)) continue;
      await commands.removePeer(name, routed.peering.publicKey);
      await commands.configure(name, renderConfig(config));
    }
  }

  const stop = async () => {
    stopping.abort();
    await running;
    stopping = new AbortController();
  };
  return {
    watch: (restarted) => {
      const { signal } = stopping;
      activeKicks += 1;
      running = running
        .then(() => kick(restarted, signal))
        .catch((error: unknown) => log.warn({ err: error }, "could not restart a handshake"))
        .finally(() => (activeKicks -= 1));
    },
    stop,
    isBusy: () => activeKicks > 0,
    [Symbol.asyncDispose]: stop,
  };
}
