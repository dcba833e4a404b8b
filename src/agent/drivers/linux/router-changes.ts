/**
 * The changes of a real router: of WireGuard, BIRD and the packet filter together.
 *
 * Invariants: `set` is all or nothing over all three; `apply-steps.ts` has the order. Tunnels are removed after BIRD
 * confirmed. The packet filter knows a tunnel before it has a peer and until it is removed. `running` changes in one
 * step, when all are done.
 */
import { ProcessError } from "#system/processes.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { BirdControl } from "../bird/control-socket.ts";
import type { Generations } from "../bird/generations.ts";
import type { SessionFiles } from "../bird/session-files.ts";
import type { DriftFinder } from "../drift/drift-finder.ts";
import type { NodeAddresses } from "../drift/node-addresses.ts";
import type { Firewall } from "../firewall/firewall.ts";
import { monitorStrictSources, type StrictSources } from "../firewall/strict-sources.ts";
import {
  type DriftFinding,
  ignoredReport,
  type RoutedPeering,
  RouterRefusedError,
  RouterUnavailableError,
  type SetReport,
} from "../router.ts";
import type { HandshakeKick } from "../wireguard/handshake-kick.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import type { Tunnels } from "../wireguard/tunnels.ts";
import { type ApplyOrder, planSteps, runSteps } from "./apply-steps.ts";
import { withRouterErrors } from "./router-errors.ts";

export interface RouterChangesOptions {
  readonly bird: BirdControl;
  readonly generations: Generations;
  readonly sessionFiles: SessionFiles;
  readonly tunnels: Tunnels;
  readonly firewall: Firewall;
  readonly nodeAddresses: NodeAddresses;
  readonly drift: DriftFinder;
  readonly kick: HandshakeKick;
  readonly order: ApplyOrder;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RouterChanges {
  /** As in `Router`. */
  readonly set: (desired: readonly RoutedPeering[], report: SetReport) => Promise<void>;
  /** As in `LinuxRouter`. */
  readonly followDisabled: () => Promise<void>;
  /** As in `Router`. */
  readonly findDrift: () => Promise<readonly DriftFinding[]>;
  /** The peerings of the last confirmed set. */
  readonly running: () => RoutedSet;
  /** Resolves when no `set` runs, also after one that failed. */
  readonly settled: () => Promise<void>;
  /** What participants may send from. The caller disposes it. */
  readonly sources: StrictSources;
}

export function createRouterChanges(options: RouterChangesOptions): RouterChanges {
  const {
    bird,
    generations,
    sessionFiles,
    tunnels,
    firewall,
    nodeAddresses,
    drift,
    kick,
    order,
    clock,
    log,
  } = options;
  let running: RoutedSet = new Map();
  /** Whether BIRD and its files are known to match `running`. */
  let isInSync = false;
  /** Whether a set that the agent does not know of has failed, so that `findDrift` has to say so. */
  let hasFailedToFollow = false;
  /** Whether BIRD still has sessions of removed peerings. */
  let hasPostponedSessions = false;
  let settingDone: Promise<void> = Promise.resolve();

  const sources = monitorStrictSources({ bird, clock, log, running: () => running });

  async function set(desired: readonly RoutedPeering[], report: SetReport): Promise<void> {
    const desiredSet: RoutedSet = new Map(desired.map((routed) => [routed.peering.asn, routed]));
    // After a restart of the agent, the first table limits the sources already.
    if (running.size === 0) await firewall.setSources(await sources.refresh(desiredSet));
    // In the order of an undo: a peer is taken away before BIRD's side of it.
    const recovered = isInSync
      ? null
      : await generations.recover(() => tunnels.removeLeftoverPeers(desiredSet));
    if (recovered !== null) report.step(recovered);
    const { files, hasChanges: hasBirdChanges, isPostponed } = await sessionFiles.plan(desired);
    const hasOtherChanges =
      !tunnels.isCurrent(desiredSet) || !firewall.isCurrent(desiredSet) || !nodeAddresses.isCurrent();
    // What neither BIRD nor WireGuard knows may have changed, such as the address to probe.
    if (isInSync && !hasBirdChanges && !hasOtherChanges) return void (running = desiredSet);
    await kick.stop();
    const wasInSync = isInSync;
    isInSync = false;
    const undone = await runSteps(
      planSteps(
        {
          desired: desiredSet,
          requested: report.requested,
          nodeAddresses,
          firewall,
          tunnels,
          generation: hasBirdChanges ? generations.change(files, report) : null,
          onPeers: () => report.completed("tunnels"),
        },
        order,
      ),
    );
    if (undone) {
      const { error } = undone;
      if (!(error instanceof RouterRefusedError || error instanceof ProcessError)) throw error;
      isInSync = wasInSync;
      throw error instanceof RouterRefusedError
        ? error
        : new RouterRefusedError({ code: "tunnel-not-set-up", facts: {} }, { cause: error });
    }
    if (isPostponed) report.postponedSessions();
    running = desiredSet;
    hasPostponedSessions = isPostponed;
    const { restarted, repaired, leftovers } = await tunnels.finish();
    repaired.forEach(report.repairedTunnel);
    if (leftovers > 0) report.step({ code: "leftovers-removed", facts: { tunnels: leftovers } });
    report.completed("removed tunnels");
    await firewall.finish();
    isInSync = true;
    drift.noteRepaired();
    kick.watch(restarted);
  }

  async function followDisabled(): Promise<void> {
    if (await sessionFiles.areCurrent()) return;
    if (!isInSync)
      throw new RouterUnavailableError("The router may not run its confirmed configuration, so it waits.");
    await set(Array.from(running.values()), ignoredReport).catch((error: unknown) => {
      hasFailedToFollow = !isInSync;
      throw error;
    });
  }

  async function findDrift(): Promise<readonly DriftFinding[]> {
    // An incoming change must not wait; the next check finds the same drift.
    if (kick.isBusy()) return [];
    await firewall.setSources(sources.current());
    const isBirdInSync = isInSync || hasFailedToFollow;
    const { findings, hasBirdDrifted } = await drift.find({ isBirdInSync, hasPostponedSessions });
    hasFailedToFollow = false;
    if (hasBirdDrifted) isInSync = false;
    return findings;
  }

  return {
    set: (desired, report) => {
      const done = withRouterErrors(() => set(desired, report));
      settingDone = done.catch(() => {});
      return done;
    },
    followDisabled: () => withRouterErrors(followDisabled),
    findDrift: () => withRouterErrors(findDrift),
    running: () => running,
    settled: () => settingDone,
    sources,
  };
}
