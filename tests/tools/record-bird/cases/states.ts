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
    run: ({ record }) => record("state-active", { commands: "summary" }),
  },
  {
    name: "state-refused",
    peerings,
    run: ({ record }) => record("state-refused"),
  },
  {
    name: "state-no-reply",
    peerings: [linkLocalPeering(3)],
    run: ({ record }) => record("state-no-reply", { commands: "summary" }),
  },
  {
    name: "state-unreachable",
    peerings: [{ ...separatePeering(2), addressFamily: "IPv4" }],
    run: async ({ network, record }) => {
      await setUnreachable(network, 2, true);
      try {
        await record("state-unreachable", { commands: "summary" });
      } finally {
        await setUnreachable(network, 2, false);
      }
    },
  },
  {
    name: "state-without-interface",
    peerings: [linkLocalPeering(4)],
    run: ({ record }) => record("state-without-interface", { commands: "summary" }),
  },
  {
    name: "state-interface-down",
    peerings: [linkLocalPeering(2)],
    run: async (scene) => {
      await establish(scene, 2, "link-local");
      await setInterface(scene.network.node, 2, false);
      try {
        await scene.record("state-interface-down", { commands: "summary" });
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
      await scene.record("state-closed", { commands: "summary" });
    },
  },
  passiveCase("state-passive", async ({ record }) => record("state-passive", { commands: "summary" })),
  passiveCase("state-passive-after-error", async ({ speaker, record }) => {
    const neighbour = speaker(1, "link-local");
    await neighbour.connect("fe80::2227%to-node");
    await neighbour.waitFor("established");
    await neighbour.notify({ code: 5, subcode: 3, data: "" });
    await record("state-passive-after-error", { commands: "summary" });
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
      await scene.record("disabled-established", { commands: "summary" });
    },
  },
  {
    name: "disabled-with-text",
    peerings,
    run: async (scene) => {
      await establish(scene, 1, "link-local");
      await scene.bird.send(`disable ${dualStack} "Established; Last error: none"`);
      await scene.record("disabled-with-text", { commands: "summary" });
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
      await scene.record("restarted-by-limit", { commands: "summary" });
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
      await scene.record("restarted", { commands: "summary" });
    },
  },
];

/** The operator's own session with AS4242420001, which waits for the neighbour to connect. */
function passiveCase(name: string, run: (scene: Scene) => Promise<void>): RecorderCase {
  return { name, peerings: [], operatorLines: operatorSession(dualStack, [], ["passive on;"]), run };
}
