/**
 * Fills a node with peerings whose WireGuard is a stand-in, and whose far ends are one BIRD in a namespace of
 * its own: the node's agent and its BIRD do the same as for any others, and their sessions are Established.
 */
import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBirdControl } from "../../src/agent/drivers/bird/control-socket.ts";
import { parseProtocols } from "../../src/agent/drivers/bird/parse-protocols.ts";
import type { Peering } from "../../src/contract/agent.ts";
import { interfaceName } from "../../src/domain/bgp-sessions.ts";
import type { RunningLab } from "../../src/lab/lab.ts";
import { hostAt, type LabHost } from "../../src/lab/namespaces.ts";
import { agentPort } from "../../src/lab/node-files.ts";
import { type NodePlan, provider } from "../../src/lab/network.ts";
import { takeGeneration } from "../../src/server/db/generation.ts";
import { openDatabase } from "../../src/server/db/open.ts";
import { putDesired } from "../../src/server/features/peerings/desired.ts";
import { routedFiller } from "./filler-peerings.ts";

export interface Fillers {
  /** Adds peerings until there are so many, and resolves when all their sessions are Established. */
  readonly fillTo: (count: number) => Promise<void>;
}

/** Each pair of ends is a link of its own. */
const [nearMac, farMac] = ["02:00:00:00:00:01", "02:00:00:00:00:02"] as const;

/** Fillers are AS4242421000 to AS4242421999; whatever else is asked for is a real tunnel. */
const script = (real: string, fifo: string, farEnd: string) => `#!/bin/sh
case "$1" in
dn42_4242421*)
    ip link add "$1" address ${nearMac} type veth peer name "$1" address ${farMac} netns ${farEnd} || exit 1
    echo "$1" > ${fifo}
    until [ -S "/run/wireguard/$1.sock" ]; do sleep 0.005; done ;;
*) exec ${real} "$@" ;;
esac
`;

const holdOpen = "mount -t tmpfs tmpfs /run && ip link set lo up && echo $$ && exec cat";
const lookMs = 200;

export async function openFillers(lab: RunningLab, host: LabHost, plan: NodePlan): Promise<Fillers> {
  const folder = join(host.folder, "fillers");
  await mkdir(folder, { recursive: true });
  const [real, fifo, standIn] = ["wireguard-go", "new", "stand-in"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const holder = host.start("unshare", "-nm", "sh", "-c", holdOpen);
  const insidePid = await firstLine(holder);
  const far = hostAt({ name: "far ends", folder, pid: await childOf(holder) });
  await copyFile("/usr/bin/wireguard-go", real);
  await writeFile(standIn, script(real, fifo, insidePid), { mode: 0o755 });
  await host.run("mkfifo", fifo);
  const daemon = join(import.meta.dirname, "stand-ins.ts");
  await firstLine(host.start(process.execPath, daemon, fifo, "/run/wireguard"));
  await host.run("mount", "--bind", standIn, "/usr/bin/wireguard-go");
  const bird = createBirdControl(`/proc/${host.pid}/root/run/bird/bird.ctl`);
  let there = 0;

  async function untilEstablished(count: number): Promise<void> {
    for (;;) {
      const sessions = parseProtocols(await bird("show protocols"));
      const up = sessions.filter(
        ({ name, state }) => name.startsWith("dn42_4242421") && state === "Established",
      );
      if (up.length === count) return;
      await pause(lookMs);
    }
  }

  async function batch(where: Pick<LabHost, "run">, lines: readonly string[]): Promise<void> {
    const file = join(folder, "batch");
    await writeFile(file, `${lines.join("\n")}\n`);
    await where.run("ip", "-batch", file);
  }

  return {
    fillTo: async (count) => {
      const added = numbers(there, count).map((number) => routedFiller(number, plan.linkLocal).peering);
      const all = numbers(0, count).map((number) => routedFiller(number, plan.linkLocal).peering);
      await applyAll(lab, host, plan, added);
      await batch(
        far,
        added.flatMap(({ asn, peerIpv6, localIpv6 }) => [
          `link set dev ${interfaceName(asn)} addrgenmode none`,
          `link set dev ${interfaceName(asn)} up`,
          `address add ${peerIpv6}/64 dev ${interfaceName(asn)} nodad`,
          permanent(asn, localIpv6, nearMac),
        ]),
      );
      await batch(
        host,
        added.map(({ asn, peerIpv6 }) => permanent(asn, peerIpv6, farMac)),
      );
      await writeFile(join(folder, "bird.conf"), farConfig(all));
      if (there === 0)
        await far.run("bird", "-c", join(folder, "bird.conf"), "-s", "/run/far.ctl", "-P", "/run/far.pid");
      else await far.run("birdc", "-s", "/run/far.ctl", "configure");
      there = count;
      await untilEstablished(count);
    },
  };
}

/**
 * A tunnel has no neighbours to discover, an Ethernet has; those that are permanent do not count against the
 * kernel's limit of about a thousand, which all namespaces share.
 */
function permanent(asn: string, address: string | null, mac: string): string {
  return `neighbour replace ${address} lladdr ${mac} dev ${interfaceName(asn)} nud permanent`;
}

/** Makes the server want them, under generations of its own, and hands them to the agent as the server does. */
async function applyAll(
  lab: RunningLab,
  host: LabHost,
  plan: NodePlan,
  peerings: readonly Peering[],
): Promise<void> {
  const server = lab.hosts.get(provider.host);
  if (!server) throw new Error("the lab has no provider");
  const dataDir = join(server.folder, "data");
  const generations = await want(dataDir, plan.name, peerings);
  const bodies = peerings.map((desired, index) => ({
    asn: desired.asn,
    generation: generations[index],
    desired,
  }));
  const file = join(server.folder, "fillers.json");
  await writeFile(file, JSON.stringify(bodies));
  const child = server.start(
    process.execPath,
    join(import.meta.dirname, "apply-fillers.ts"),
    join(dataDir, "identity"),
    join(host.folder, "state"),
    `https://${plan.publicIp}:${agentPort}`,
    file,
  );
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("the node did not take the peerings that fill it");
}

async function want(dataDir: string, node: string, peerings: readonly Peering[]): Promise<readonly number[]> {
  await using database = await openDatabase({ dataDir, url: null, onError: () => {} });
  return await database.db.transaction().execute(async (tx) => {
    const generations: number[] = [];
    for (const peering of peerings) {
      const generation = await takeGeneration(tx);
      const { listenPort: _port, localIpv4: _ipv4, localIpv6: _ipv6, ...asked } = peering;
      const request = { ...asked, customLocalIpv6: null };
      await putDesired(tx, {
        asn: peering.asn,
        node,
        generation,
        revision: generation,
        present: true,
        request,
        peering,
      });
      generations.push(generation);
    }
    return generations;
  });
}

function farConfig(peerings: readonly Peering[]): string {
  const protocols = peerings.map(
    ({ asn, peerIpv6, localIpv6 }) => `protocol bgp as${asn} {
    local ${peerIpv6} as ${asn};
    neighbor ${localIpv6} % '${interfaceName(asn)}' as ${provider.asn};
    interface "${interfaceName(asn)}";
    passive on;
    error wait time 1, 2;
    ipv4 { extended next hop on; import none; export none; };
    ipv6 { import none; export none; };
}
`,
  );
  return `router id 192.0.2.200;\nprotocol device {}\n${protocols.join("")}`;
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("the process has no output");
  const [chunk] = (await once(stdout, "data")) as [Buffer];
  return chunk.toString().trim();
}

/** The process inside, as the machine sees it. */
async function childOf({ pid }: ChildProcess): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim());
}
