/** NOTIFICATION messages that the neighbour sends. */
import { receivedNotifications } from "#tests/fixtures/router-outputs/notifications.ts";
import { linkLocalPeering } from "../network.ts";
import type { RecorderCase } from "../scene.ts";

/**
 * Two recordings of each: while BIRD waits after the error, and after BIRD connected again to a neighbour that says
 * nothing.
 */
export const notificationCases: readonly RecorderCase[] = receivedNotifications.map(
  ({ name, code, subcode, during }) => ({
    name,
    peerings: [linkLocalPeering(1)],
    run: async ({ speaker, record }) => {
      const neighbour = speaker(1, "link-local");
      if (during !== "Established") await neighbour.setMode("muted");
      await neighbour.listen();
      await neighbour.waitFor(during === "Established" ? "established" : "open");
      if (during === "OpenConfirm") await neighbour.sendOpen();
      await neighbour.setMode("muted");
      await neighbour.notify({ code, subcode, data: "" });
      await record(name);
      await record(`${name}-later`);
    },
  }),
);
