/** Routes that BIRD drops as invalid, and routes that the filter refuses. */
import { dualStack } from "#tests/fixtures/router-outputs/sessions.ts";
import { establish } from "../actions.ts";
import { linkLocalPeering } from "../network.ts";
import { linkLocalRoutes, loopedRoutes, refusedRouteSamples, setRoutes } from "../routes.ts";
import { type RecorderCase, type Scene, situation } from "../scene.ts";

const announcements = 6;
/** "This network", loopback and multicast addresses, which BIRD accepts from no protocol (`rte_validate`). */
const invalidRoutes = ["0.1.0.0/16", "127.1.0.0/16", "224.1.0.0/24"];
/** Too long, without a ROA, and outside the network's ranges. */
const refusedRoutes = ["172.20.1.0/30", "172.20.8.0/26", "198.51.100.0/24"];
const goodRoute = "172.20.1.32/27";

const updates = (count: number) => new RegExp(`Import updates: +${count} `);
const withdraws = (count: number) => new RegExp(`Import withdraws: +${count} `);

/** Announces three routes and a good one six times, withdraws the three, and lets BIRD ask for all routes again. */
function announceRepeatedly(name: string, routes: readonly string[]): RecorderCase {
  return {
    name,
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      const speaker = await establish(scene, 1, "link-local");
      for (let count = 0; count < announcements; count += 1) {
        await speaker.announce(linkLocalRoutes([...routes, goodRoute]));
      }
      await scene.record(`${name}-announced`, { withRoutes: true, until: [updates(announcements * 4)] });
      await speaker.withdraw(routes);
      await scene.record(`${name}-withdrawn`, { until: [withdraws(3)] });
      await requestRoutes(scene);
      await speaker.waitFor("route-refresh");
      await speaker.announce(linkLocalRoutes([...routes, goodRoute]));
      await scene.record(`${name}-reloaded`, { until: [updates((announcements + 1) * 4)] });
    },
  };
}

/** Makes BIRD send ROUTE-REFRESH. BIRD 3 has another command for it than BIRD 2. */
async function requestRoutes({ bird, version }: Scene): Promise<void> {
  const kind = version.startsWith("2.") ? "in" : "bgp in";
  const reply = String(await bird.send(`reload ${kind} ${dualStack}`));
  if (!reply.startsWith("0015-")) throw new Error(`BIRD does not reload: ${reply}`);
}

export const droppedRouteCases: readonly RecorderCase[] = [
  announceRepeatedly("invalid-routes", invalidRoutes),
  announceRepeatedly("refused-routes-repeated", refusedRoutes),
  situation("looped-routes", {
    until: [withdraws(6)],
    act: async (scene) => {
      const speaker = await establish(scene, 1, "link-local");
      await speaker.announce(linkLocalRoutes([goodRoute]), loopedRoutes);
      await speaker.announce(loopedRoutes);
    },
  }),
  situation("set-routes", {
    withRoutes: true,
    act: async (scene) => {
      const speaker = await establish(scene, 1, "link-local");
      await speaker.announce(linkLocalRoutes([goodRoute]), ...setRoutes);
    },
  }),
  situation("refused-routes", {
    withRoutes: true,
    act: async (scene) => {
      const speaker = await establish(scene, 1, "link-local");
      await speaker.announce(...refusedRouteSamples, linkLocalRoutes([goodRoute]));
    },
  }),
];
