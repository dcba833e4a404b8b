/** Sessions that end: BIRD removes their routes, or cannot send its last message. */
import { dualStack } from "#tests/fixtures/router-outputs/sessions.ts";
import { establish, waitForReply } from "../actions.ts";
import { linkLocalPeering } from "../network.ts";
import { acceptedRoutes, linkLocalRoutes } from "../routes.ts";
import type { LabHost } from "#lab/hosts/namespaces.ts";
import type { RecorderCase, Scene } from "../scene.ts";
import type { Announcement } from "../speaker/updates.ts";
import type { RemoteSpeaker } from "../speakers.ts";

const command = `show protocols all ${dualStack}`;
const attempts = 20;
/** Enough commands to last until the routes are gone. */
const repetitions = 30;

/**
 * A session that BIRD cannot end yet: its neighbour does not read, so BIRD cannot send its NOTIFICATION. Small buffers
 * and 1 MB of routes from another neighbour are enough for that.
 */
const closingCase: RecorderCase = {
  name: "closing",
  // BIRD 3 drops what it has not sent.
  versions: /^2\./,
  peerings: [linkLocalPeering(1), linkLocalPeering(2)],
  run: async (scene) => {
    const [, host] = scene.network.participants;
    const restore = await setBuffers([scene.network.node, host]);
    try {
      const silent = await establish(scene, 2, "link-local");
      await silent.stopReading();
      const other = await establish(scene, 1, "link-local");
      await other.announce(...acceptedRoutes(0, 1000).map(routeWithOwnAttributes));
      await waitForReply(scene.bird, "show protocols all dn42_4242420002", /Export updates: +1001 /);
      await silent.sendOpen();
      await scene.record("closing");
    } finally {
      await restore();
    }
  },
};

export const endingCases: readonly RecorderCase[] = [
  flushingCase("flushing", ({ bird }) => bird.sendAll([`restart ${dualStack}`, ...repeated()])),
  flushingCase("flushing-after-error", async ({ bird }, neighbour) => {
    await neighbour.notify({ code: 5, subcode: 3, data: "" });
    for (;;) {
      // The message may not have reached BIRD yet.
      const replies = await bird.sendAll(repeated());
      if (!replies.at(-1)?.includes("Established  ")) return replies;
    }
  }),
  closingCase,
];

/** Returns a route with attributes of 1 kB that no other one has. */
function routeWithOwnAttributes(prefix: string, index: number): Announcement {
  const largeCommunities = Array.from({ length: 80 }, (_, number) => [4_242_420_001, index, number] as const);
  return { ...linkLocalRoutes([prefix]), largeCommunities };
}

/** Gives TCP the smallest buffers, and returns a function that restores them. */
async function setBuffers(hosts: readonly LabHost[]): Promise<() => Promise<void>> {
  const files = ["tcp_rmem", "tcp_wmem"].map((name) => `/proc/sys/net/ipv4/${name}`);
  const restores: Array<() => Promise<unknown>> = [];
  for (const { run } of hosts) {
    for (const file of files) {
      const before = await run("cat", file);
      const set = (value: string) => run("sh", "-c", `echo ${value} > ${file}`);
      await set("4096 4096 4096");
      restores.push(() => set(before.trim()));
    }
  }
  return async () => void (await Promise.all(restores.map((restore) => restore())));
}

/** @param end ends the session and returns BIRD's replies */
function flushingCase(
  name: string,
  end: (scene: Scene, neighbour: RemoteSpeaker) => Promise<readonly Buffer[]>,
): RecorderCase {
  return {
    name,
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      const neighbour = await establish(scene, 1, "link-local");
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        await neighbour.announce(linkLocalRoutes(acceptedRoutes(0, 6000)));
        await waitForReply(scene.bird, command, /Import updates: +6000 /);
        const reply = (await end(scene, neighbour)).find(isFlushing);
        if (reply) return scene.write(name, [{ command, reply }]);
        await waitForReply(scene.bird, command, /BGP state: +Established/);
      }
      throw new Error(`BIRD did not show a session that is flushing, in ${attempts} attempts`);
    },
  };
}

function repeated(): readonly string[] {
  return Array.from({ length: repetitions }, () => command);
}

function isFlushing(reply: Buffer): boolean {
  return new RegExp(`${dualStack} +BGP +--- +flush `).test(String(reply));
}
