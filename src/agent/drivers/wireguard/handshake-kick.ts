/**
 * Two ends that start their handshakes at the same moment drop each other's and wait out WireGuard's retry
 * of five seconds. A peer that is removed and added again starts anew at once.
 */
import { interfaceName } from "../../../domain/bgp-sessions.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { type Run, runOk } from "../../processes.ts";
import type { RoutedPeering } from "../router.ts";
import type { InterfaceCommands } from "./interface-commands.ts";
import { renderWireguard } from "./render.ts";

export interface HandshakeKick extends AsyncDisposable {
  /** Looks after the handshakes of tunnels that were just changed; returns at once. */
  readonly watch: (restarted: readonly RoutedPeering[]) => void;
  /** Ends what is under way, so that nothing is done to a tunnel while it is changed. */
  readonly stop: () => Promise<void>;
  /** Whether a tunnel may be without its peer for the moment. */
  readonly busy: () => boolean;
}

const patienceMs = 300;

export function createHandshakeKick(options: {
  readonly run: Run;
  readonly commands: InterfaceCommands;
  readonly privateKey: string;
  readonly clock: Clock;
  readonly log: Log;
}): HandshakeKick {
  const { run, commands, privateKey, clock, log } = options;
  let stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let underWay = 0;

  async function kick(restarted: readonly RoutedPeering[], signal: AbortSignal): Promise<void> {
    await clock.sleep(patienceMs, signal);
    for (const routed of restarted) {
      if (signal.aborted) return;
      const name = interfaceName(routed.peering.asn);
      const handshakes = await runOk(run, "wg", ["show", name, "latest-handshakes"]);
      if (!/\t0$/m.test(handshakes)) continue;
      await commands.removePeer(name, routed.peering.publicKey);
      await commands.configure(name, renderWireguard(routed, privateKey));
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
      underWay += 1;
      running = running
        .then(() => kick(restarted, signal))
        .catch((error: unknown) => log.warn({ err: error }, "a handshake could not be started anew"))
        .finally(() => (underWay -= 1));
    },
    stop,
    busy: () => underWay > 0,
    [Symbol.asyncDispose]: stop,
  };
}
