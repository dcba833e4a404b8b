/**
 * Fills a node with peerings whose WireGuard is a stub, and whose remote ends are one BIRD in a separate namespace. The
 * node's agent and its BIRD handle them like any other peering, and their sessions are Established.
 */
import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBirdControl } from "#agent/drivers/bird/control-socket.ts";
import { parseSessions } from "#agent/drivers/bird/parse-session.ts";
import type { Peering } from "#contract/agent.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import type { RunningLab } from "#lab/lab.ts";
import { hostAt, type LabHost } from "#lab/hosts/namespaces.ts";
import { agentPort } from "#lab/config-files.ts";
import { type NodePlan, provider } from "#lab/network.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import { takeGeneration } from "#server/db/generation.ts";
import { openDatabase } from "#server/db/open.ts";
import { putDesired } from "#server/features/peerings/desired-peerings.ts";
import { nodeLinkLocal, routedFiller } from "./filler-peerings.ts";
import { toPeeringRequest } from "#domain/peering/fields/peering-request.ts";

export interface Fillers {
  /** Adds peerings up to this number, and resolves when all their sessions are Established. */
  readonly fillTo: (count: number) => Promise<void>;
}

/** Each pair of devices is a separate link, so all pairs can have the same addresses. */
const [nearMac, farMac] = ["02:00:00:00:00:01", "02:00:00:00:00:02"] as const;

/** Fillers are AS4242421000 to AS4242421999. Every other interface is a real tunnel. */
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
const pollMs = 200;

export async function openFillers(lab: RunningLab, host: LabHost, plan: NodePlan): Promise<Fillers> {
  const folder = join(host.folder, "fillers");
  await mkdir(folder, { recursive: true });
  const [real, fifo, stub] = ["wireguard-go", "new", "stub"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const holder = host.start("unshare", "-nm", "sh", "-c", holdOpen);
  const insidePid = await firstLine(holder);
  const far = hostAt({ name: "far ends", folder, pid: await childOf(holder) });
  await copyFile("/usr/bin/wireguard-go", real);
  await writeFile(stub, script(real, fifo, insidePid), { mode: 0o755 });
  await host.run("mkfifo", fifo);
  const daemon = join(import.meta.dirname, "wireguard-stubs.ts");
  await firstLine(host.start(process.execPath, daemon, fifo, "/run/wireguard"));
  await host.run("mount", "--bind", stub, "/usr/bin/wireguard-go");
  const bird = createBirdControl(`/proc/${host.pid}/root/run/bird/bird.ctl`);
  let fillerCount = 0;

  async function untilEstablished(count: number): Promise<void> {
    for (;;) {
      const sessions = parseSessions(await bird('show protocols all "dn42_4242421*"'));
      const up = sessions.filter(({ state }) => state === "Established");
      if (up.length === count) return;
      await pause(pollMs);
    }
  }

  async function batch(where: Pick<LabHost, "run">, lines: readonly string[]): Promise<void> {
    const file = join(folder, "batch");
    await writeFile(file, `${lines.join("\n")}\n`);
    await where.run("ip", "-batch", file);
  }

  return {
    fillTo: async (count) => {
      const added = numbers(fillerCount, count).map((number) => routedFiller(number, nodeLinkLocal).peering);
      const all = numbers(0, count).map((number) => routedFiller(number, nodeLinkLocal).peering);
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
      if (fillerCount === 0)
        await far.run("bird", "-c", join(folder, "bird.conf"), "-s", "/run/far.ctl", "-P", "/run/far.pid");
      else await far.run("birdc", "-s", "/run/far.ctl", "configure");
      fillerCount = count;
      await untilEstablished(count);
    },
  };
}

/**
 * Unlike a tunnel, an Ethernet device needs neighbour entries. Permanent entries do not count against the kernel's limit
 * of about a thousand, which all namespaces share.
 */
function permanent(asn: string, address: string | null, mac: string): string {
  return `neighbour replace ${address} lladdr ${mac} dev ${interfaceName(asn)} nud permanent`;
}

/** Saves the peerings as the server's desired state with new generations, and sends them to the agent as the server does. */
async function applyAll(
  lab: RunningLab,
  host: LabHost,
  plan: NodePlan,
  peerings: readonly Peering[],
): Promise<void> {
  const server = lab.hosts.get(provider.host);
  if (!server) throw new Error("the lab has no provider");
  const dataDir = join(server.folder, "data");
  const { database, generations } = await saveDesired(dataDir, plan.name, peerings);
  const bodies = peerings.map((desired, index) => ({
    asn: desired.asn,
    generation: generations[index],
    desired,
    database,
    knownGenerations: [],
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
  if (code !== 0) throw new Error("the node did not apply the filler peerings");
}

async function saveDesired(
  dataDir: string,
  node: string,
  peerings: readonly Peering[],
): Promise<{ readonly database: string; readonly generations: readonly number[] }> {
  await using database = await openDatabase({ dataDir, url: null, onError: () => {} });
  return await database.db.transaction().execute(async (tx) => {
    const generations: number[] = [];
    for (const { presharedKey: _key, ...peering } of peerings) {
      const generation = await takeGeneration(tx, node);
      const request = toPeeringRequest(peering, null, null);
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
    return { database: await readDatabaseIdentity(tx), generations };
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

/** Returns the id of the child process in the machine's namespace. */
async function childOf({ pid }: ChildProcess): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim());
}
