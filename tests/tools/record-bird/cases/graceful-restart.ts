/** Neighbours that restart: BIRD keeps their routes until they are back, or until the restart time is over (RFC 4724). */
import { establish } from "../actions.ts";
import { linkLocalPeering } from "../network.ts";
import { acceptedRoutes, linkLocalRoutes, refusedRoutes } from "../routes.ts";
import type { RecorderCase } from "../scene.ts";
import { openOf } from "../speakers.ts";
import type { Open } from "../speaker/messages.ts";

/** The OPEN message of a neighbour that keeps forwarding while it restarts. */
function restartingOpen(hasRestarted: boolean): Partial<Open> {
  return {
    capabilities: [
      ...openOf(1, "link-local").capabilities,
      { kind: "graceful-restart", restartSeconds: 120, families: ["IPv4", "IPv6"], hasRestarted },
    ],
  };
}

export const gracefulRestartCases: readonly RecorderCase[] = [
  {
    name: "graceful-restart",
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      const neighbour = await establish(scene, 1, "link-local", restartingOpen(false));
      await neighbour.announce(linkLocalRoutes([...acceptedRoutes(0, 3), ...refusedRoutes(0, 1)]));
      await neighbour.announce(linkLocalRoutes(["fd42:4242:1::/48"]));
      await neighbour.endOfRib("IPv4");
      await neighbour.endOfRib("IPv6");
      await scene.record("graceful-restart-established", { withRoutes: true });
      await neighbour.setMode("muted");
      await neighbour.setOpen(restartingOpen(true));
      await neighbour.close();
      await scene.record("graceful-restart-lost", { withRoutes: true });
      await scene.record("graceful-restart-waiting");
      await neighbour.refuse();
      await neighbour.setMode("speaking");
      await neighbour.listen();
      await neighbour.waitFor("established");
      await scene.record("graceful-restart-back", { withRoutes: true });
      await neighbour.announce(linkLocalRoutes(acceptedRoutes(0, 1)));
      await neighbour.endOfRib("IPv4");
      await neighbour.endOfRib("IPv6");
      await scene.record("graceful-restart-finished");
    },
  },
];
