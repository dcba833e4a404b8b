/** Replies to commands that change something, and error replies. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { establish } from "../actions.ts";
import { linkLocalPeering } from "../network.ts";
import type { RecorderCase, Scene } from "../scene.ts";

const unknown = "dn42_4242429999";

const errorCommands = [
  `show protocols ${unknown}`,
  `show protocols all ${unknown}`,
  `show route all protocol ${unknown}`,
  `show route all filtered protocol ${unknown} where net.type = NET_IP4`,
  `show route protocol ${unknown} count`,
  `show route filtered protocol ${unknown} count`,
  `show route filtered protocol ${unknown} where net.type = NET_IP6 count`,
  `show route all export ${unknown}`,
  `restart ${unknown}`,
  `disable ${unknown}`,
  `enable ${unknown}`,
  `reload in ${unknown}`,
  `reload bgp in ${unknown}`,
  "show route table nosuch count",
  "show protcols",
  "show route where",
  "show route for 10.0.0.0/33",
  "eval nosuch",
  'restart "dn42_4242429*"',
  // A protocol of another type.
  "show protocols all device1",
  "show route all protocol device1",
  "show route all export device1",
];

/** Commands in the order in which they are sent; each changes what the next one finds. */
const changingCommands = [
  "reload in dn42_4242420001",
  "reload bgp in dn42_4242420001",
  "reload out dn42_4242420001",
  "restart dn42_4242420001",
  "disable dn42_4242420001",
  "disable dn42_4242420001",
  "restart dn42_4242420001",
  "reload in dn42_4242420001",
  "enable dn42_4242420001",
  "enable dn42_4242420001",
  "configure check",
  "configure",
  "configure confirm",
  "configure timeout 60",
  "configure timeout 60",
  "configure confirm",
  "configure undo",
];

export const replyCases: readonly RecorderCase[] = [
  {
    name: "replies-errors",
    peerings: [linkLocalPeering(1)],
    run: (scene) => writeReplies(scene, "replies-errors", errorCommands),
  },
  {
    name: "replies-changes",
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      await establish(scene, 1, "link-local");
      await writeReplies(scene, "replies-changes", changingCommands);
    },
  },
  {
    name: "replies-broken-configuration",
    peerings: [linkLocalPeering(1)],
    run: async (scene) => {
      await writeFile(path.join(scene.network.node.folder, "peerdeck/a/broken.conf"), "protocol bgp {{\n");
      await writeReplies(scene, "replies-broken-configuration", [
        "configure check",
        "configure",
        "configure timeout 60",
        "configure confirm",
        "show status",
      ]);
    },
  },
];

async function writeReplies(
  { bird, write }: Scene,
  name: string,
  commands: readonly string[],
): Promise<void> {
  const blocks = [];
  for (const command of commands) blocks.push({ command, reply: await bird.send(command) });
  write(name, blocks);
}
