/** Sessions that are not Established, and why. */
import { dualStack } from "#tests/fixtures/router-outputs/sessions.ts";
import { establish } from "../actions.ts";
import { linkLocalPeering, separatePeering, setInterface, setUnreachable } from "../network.ts";
import { linkLocalRoutes } from "../routes.ts";
import { type RecorderCase, type Scene, situation } from "../scene.ts";

const configurationError = { code: 5, subcode: 3, data: "" };

async function establishMuted(scene: Scene) {
  const neighbour = await establish(scene, 1, "link-local");
  await neighbour.setMode("muted");
  return neighbour;
}

async function listenMuted({ speaker }: Scene) {
  const neighbour = speaker(1, "link-local");
  await neighbour.setMode("muted");
  await neighbour.listen();
  return neighbour;
}

async function announceTooMuch(scene: Scene) {
  const neighbour = await establish(scene, 1, "link-local");
  // One more than the operator's limit.
  await neighbour.announce(linkLocalRoutes(["fd42:4242:1::/48", "fd42:4242:1:1::/64", "fd42:4242:1:2::/64"]));
  return neighbour;
}

/** The operator's own session with AS4242420001. */
function ownSession(channelLine: string, line = "") {
  const channel = `{ import filter peerdeck_import; import keep filtered on; export none; ${channelLine} };`;
  const lines = [
    `protocol bgp ${dualStack} from peerdeck_peer {`,
    "    local fe80::2227 as OWN_AS;",
    "    neighbor fe80::1 % 'dn42_4242420001' as 4242420001;",
    "    connect delay time 1;",
    "    error wait time 1, 10;",
    `    ${line}`,
    `    ipv4 ${channel}`,
    `    ipv6 ${channel}`,
    "}",
  ];
  return { peerings: [], operatorLines: lines };
}

export const stateCases: readonly RecorderCase[] = [
  // BIRD waits for a second before it connects.
  situation("state-active"),
  situation("state-refused", { withRoutes: true }),
  situation("state-no-reply", { peerings: [linkLocalPeering(3)] }),
  situation("state-unreachable", {
    peerings: [{ ...separatePeering(2), addressFamily: "IPv4" }],
    act: ({ network }) => setUnreachable(network, 2, true),
    restore: ({ network }) => setUnreachable(network, 2, false),
  }),
  situation("state-without-interface", { peerings: [linkLocalPeering(4)] }),
  situation("state-interface-down", {
    peerings: [linkLocalPeering(2)],
    act: async (scene) => {
      await establish(scene, 2, "link-local");
      await setInterface(scene.network.node, 2, false);
    },
    restore: ({ network }) => setInterface(network.node, 2, true),
  }),
  situation("state-open-sent", { withRoutes: true, act: listenMuted }),
  situation("state-open-confirm", {
    withRoutes: true,
    act: async (scene) => {
      const neighbour = await listenMuted(scene);
      await neighbour.waitFor("open");
      await neighbour.sendOpen();
    },
  }),
  situation("state-closed", { act: async (scene) => (await establishMuted(scene)).close() }),
  situation("state-passive", ownSession("", "passive on;")),
  situation("state-passive-after-error", {
    ...ownSession("", "passive on;"),
    act: async ({ speaker }) => {
      const neighbour = speaker(1, "link-local");
      await neighbour.connect("fe80::2227%to-node");
      await neighbour.waitFor("established");
      await neighbour.notify(configurationError);
    },
  }),
  situation("disabled", { withRoutes: true, act: ({ bird }) => bird.send(`disable ${dualStack}`) }),
  situation("disabled-established", {
    act: async (scene) => {
      await establish(scene, 1, "link-local");
      await scene.bird.send(`disable ${dualStack}`);
    },
  }),
  situation("disabled-with-text", {
    act: async (scene) => {
      await establish(scene, 1, "link-local");
      await scene.bird.send(`disable ${dualStack} "Established; Last error: none"`);
    },
  }),
  situation("disabled-by-limit", {
    ...ownSession("import limit 2 action disable;"),
    withRoutes: true,
    act: announceTooMuch,
  }),
  situation("restarted-by-limit", {
    ...ownSession("import limit 2 action restart;"),
    act: async (scene) => (await announceTooMuch(scene)).setMode("muted"),
  }),
  situation("disabled-after-error", {
    withRoutes: true,
    act: async (scene) => {
      const neighbour = await establishMuted(scene);
      await neighbour.notify(configurationError);
      await neighbour.waitFor("closed");
      await scene.bird.send(`disable ${dualStack}`);
    },
  }),
  situation("restarted", {
    act: async (scene) => {
      await establishMuted(scene);
      await scene.bird.send(`restart ${dualStack}`);
    },
  }),
];
