/** Sessions that are not Established, and why. */
import { dualStack } from "#tests/fixtures/router-outputs/sessions.ts";
import { establish } from "../actions.ts";
import { operatorSession } from "../operator-lines.ts";
import { linkLocalPeering, separatePeering, setInterface, setUnreachable } from "../network.ts";
import { linkLocalRoutes } from "../routes.ts";
import type { RecorderCase, Scene } from "../scene.ts";

const peerings = [linkLocalPeering(1)];
/** One more than the operator's limit in these cases. */
const ipv6Routes = ["fd42:4242:1::/48", "fd42:4242:1:1::/64", "fd42:4242:1:2::/64"];

export const stateCases: readonly RecorderCase[] = [
  {
    // BIRD waits for a second before it connects.
    name: "state-active",
    peerings,
    run: ({ record }) => record("state-active", { commands: "sessions" }),
  },
  {
    name: "state-refused",
    peerings,
    run: ({ record }) => record("state-refused"),
  },
  {
    name: "state-no-reply",
    peerings: [linkLocalPeering(3)],
    run: ({ record }) => record("state-no-reply", { commands: "sessions" }),
  },
  {
    name: "state-unreachable",
    peerings: [{ ...separatePeering(2), addressFamily: "IPv4" }],
    run: async ({ network, record }) => {
      await setUnreachable(network, 2, true);
      try {
        await record("state-unreachable", { commands: "sessions" });
      } finally {
        await setUnreachable(network, 2, false);
      }
    },
  },
  {
    name: "state-without-interface",
    peerings: [linkLocalPeering(4)],
    run: ({ record }) => record("state-without-interface", { commands: "sessions" }),
  },
  {
    name: "state-interface-down",
    peerings: [linkLocalPeering(2)],
    run: async (scene) => {
      await establish(scene, 2, "link-local");
      await setInterface(scene.network.node, 2, false);
      try {
        await scene.record("state-interface-down", { commands: "sessions" });
      } finally {
        await setInterface(scene.network.node, 2, true);
      }
    },
  },
  {
    name: "state-open-sent",
    peerings,
    run: async ({ speaker, record }) => {
      const neighbour = speaker(1, "link-local");
      await neighbour.setMode("muted");
      await neighbour.listen();
      await record("state-open-sent");
    },
  },
  {
    name: "state-open-confirm",
    peerings,
    run: async ({ speaker, record }) => {
      const neighbour = speaker(1, "link-local");
      await neighbour.setMode("muted");
      await neighbour.listen();
      await neighbour.waitFor("open");
      await neighbour.sendOpen();
      await record("state-open-confirm");
    },
  },
  {
    name: "state-closed",
    peerings,
    run: async (scene) => {
      const neighbour = await establish(scene, 1, "link-local");
      await neighbour.setMode("muted");
      await neighbour.close();
      await scene.record("state-closed", { commands: "sessions" });
    },
  },
  passiveCase("state-passive", async ({ record }) => record("state-passive", { commands: "sessions" })),
  passiveCase("state-passive-after-error", async ({ speaker, record }) => {
    const neighbour = speaker(1, "link-local");
    await neighbour.connect("fe80::2227%to-node");
    await neighbour.waitFor("established");
    await neighbour.notify({ code: 5, subcode: 3, data: "" });
    await record("state-passive-after-error", { commands: "sessions" });
  }),
  {
    name: "disabled",
    peerings,
    run: async ({ bird, record }) => {
      await bird.send(`disable ${dualStack}`);
      await record("disabled");
    },
  },
  {
    name: "disabled-established",
    peerings,
    run: async (scene) => {
      await establish(scene, 1, "link-local");
      await scene.bird.send(`disable ${dualStack}`);
      await scene.record("disabled-established", { commands: "sessions" });
    },
  },
  {
    name: "disabled-with-text",
    peerings,
    run: async (scene) => {
      await establish(scene, 1, "link-local");
      await scene.bird.send(`disable ${dualStack} "Established; Last error: none"`);
      await scene.record("disabled-with-text", { commands: "sessions" });
    },
  },
  {
    name: "disabled-by-limit",
    peerings: [],
    operatorLines: operatorSession(dualStack, ["import limit 2 action disable;"]),
    run: async (scene) => {
      const neighbour = await establish(scene, 1, "link-local");
      await neighbour.announce(linkLocalRoutes(ipv6Routes));
      await scene.record("disabled-by-limit");
    },
  },
  {
    name: "restarted-by-limit",
    peerings: [],
    operatorLines: operatorSession(dualStack, ["import limit 2 action restart;"]),
    run: async (scene) => {
      const neighbour = await establish(scene, 1, "link-local");
      await neighbour.announce(linkLocalRoutes(ipv6Routes));
      await neighbour.setMode("muted");
      await scene.record("restarted-by-limit", { commands: "sessions" });
    },
  },
  {
    name: "disabled-after-error",
    peerings,
    run: async (scene) => {
      const neighbour = await establish(scene, 1, "link-local");
      await neighbour.setMode("muted");
      await neighbour.notify({ code: 5, subcode: 3, data: "" });
      await neighbour.waitFor("closed");
      await scene.bird.send(`disable ${dualStack}`);
      await scene.record("disabled-after-error");
    },
  },
  {
    name: "restarted",
    peerings,
    run: async (scene) => {
      const neighbour = await establish(scene, 1, "link-local");
      await neighbour.setMode("muted");
      await scene.bird.send(`restart ${dualStack}`);
      await scene.record("restarted", { commands: "sessions" });
    },
  },
];

/** The operator's own session with AS4242420001, which waits for the neighbour to connect. */
function passiveCase(name: string, run: (scene: Scene) => Promise<void>): RecorderCase {
  return { name, peerings: [], operatorLines: operatorSession(dualStack, [], ["passive on;"]), run };
}
