/**
 * The complete lab: a provider with six nodes and a server, participants, and the internet between them.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openIdentity } from "../mtls/tls-identity.ts";
import { addNode, type LabServer, serverPort } from "./add-node.ts";
import { registerAccount } from "./accounts.ts";
import { startMailServer } from "./mail-server.ts";
import { type Internet, type LabHost, openInternet } from "./hosts/namespaces.ts";
import {
  internetPrefixLength,
  LabError,
  type NodePlan,
  nodes as sixNodes,
  type ParticipantPlan,
  participants as twoParticipants,
  provider,
} from "./network.ts";
import { type AgentSettings, connectNode, type NodeHost, prepareNode, startNode } from "./node.ts";
import { startParticipant } from "./participant.ts";
import { startProgram } from "./hosts/program.ts";
import { renderProfile } from "./config-files.ts";
import { relay } from "./hosts/relay.ts";
import { makeKeys } from "./hosts/wireguard.ts";

export interface LabParticipant {
  readonly plan: ParticipantPlan;
  readonly host: LabHost;
  /** The participant's WireGuard public key. */
  readonly publicKey: string;
}

export interface RunningLab extends AsyncDisposable {
  /** The server's URL for browsers on this machine. */
  readonly url: string;
  readonly folder: string;
  /** Every host, by name. */
  readonly hosts: ReadonlyMap<string, LabHost>;
  readonly participants: readonly LabParticipant[];
  /** The environment variables of the server and its commands. */
  readonly serverEnvironment: Readonly<Record<string, string>>;
  /** The server's host, for its commands. */
  readonly server: LabServer;
  /** Starts another node of `network.ts`, with tunnels to those that run. It has not joined. */
  readonly startNode: (plan: NodePlan) => Promise<LabHost>;
  /** Stops the server and starts it with other settings. A `DATA_DIR` must contain the server's identity. */
  readonly restartServer: (changes: Readonly<Record<string, string>>) => Promise<void>;
}

export interface LabOptions {
  /** A port of this machine's loopback interface; 0 means any free one. */
  readonly port: number;
  /** Called with the text of each mail that the server sends. */
  readonly onMail: (text: string) => void;
  /** Default: two, one with BIRD and one with FRR. */
  readonly participants?: readonly ParticipantPlan[];
  /** The nodes that have joined; default: all six. */
  readonly nodes?: readonly NodePlan[];
  /** The program of the agents, for measurements: a path from the project's root. */
  readonly agentProgram?: string;
  /** Cancels a start in progress. */
  readonly signal?: AbortSignal;
}

/** The port of the mail server inside the provider's host. */
const mailPort = 25;

/** Starts the lab. Resolves when all agents and the server run and the participants have accounts. */
export async function startLab({
  port,
  onMail,
  participants = twoParticipants,
  nodes = sixNodes,
  agentProgram = "build/programs/peerdeck-agent.mjs",
  signal,
}: LabOptions): Promise<RunningLab> {
  await using parts = new AsyncDisposableStack();
  const internet = parts.use(await openInternet());
  const { folder } = internet;
  const mailWaiters: Array<(text: string) => void> = [];
  const handleMail = (text: string) => {
    const receiver = mailWaiters.shift() ?? onMail;
    receiver(text);
  };
  const hosts = await openHosts(internet, nodes, participants);
  signal?.throwIfAborted();
  const host = hostIn(hosts);
  parts.use(await startMailServer({ path: join(folder, "mail.socket"), onMail: handleMail }));
  const url = await openServerPort(parts, host(provider.host), folder, port);
  const prepared = await Promise.all(nodes.map((plan) => prepareNode(plan, host(plan.name))));
  const [labParticipants, { agent, ...server }] = await Promise.all([
    Promise.all(participants.map((plan) => openParticipant(plan, host(plan.name)))),
    startProvider(host(provider.host), prepared, url, agentProgram),
  ]);
  signal?.throwIfAborted();
  for (const plan of participants) {
    await registerAccount(url, plan, () => new Promise((resolve) => mailWaiters.push(resolve)));
  }
  const running = parts.move();
  return {
    url,
    folder,
    hosts,
    participants: labParticipants,
    ...server,
    startNode: async (plan) => {
      const opened = await internet.host(plan.name, `${plan.publicIp}/${internetPrefixLength}`);
      const node = await prepareNode(plan, opened);
      await connectNode(node, prepared);
      await startNode(node, prepared, agent);
      prepared.push(node);
      return opened;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function openHosts(
  internet: Internet,
  nodes: readonly NodePlan[],
  participants: readonly ParticipantPlan[],
): Promise<ReadonlyMap<string, LabHost>> {
  const open = (name: string, publicIp: string) => internet.host(name, `${publicIp}/${internetPrefixLength}`);
  const all = [{ name: provider.host, publicIp: provider.publicIp }, ...nodes];
  const opened = await Promise.all([
    ...all.map(({ name, publicIp }) => open(name, publicIp)),
    ...participants.map(async ({ asn, name, publicIp, isBehindNat = false }) =>
      isBehindNat
        ? // The name of an interface, which contains that of its host, has at most 15 characters.
          internet.hostBehind(await open(`nat${asn.slice(-4)}`, publicIp), name)
        : open(name, publicIp),
    ),
  ]);
  return new Map(opened.map((host) => [host.name, host]));
}

function hostIn(hosts: ReadonlyMap<string, LabHost>): (name: string) => LabHost {
  return (name) => {
    const host = hosts.get(name);
    if (!host)
      throw new LabError(`The lab has no host ${name}. It has ${Array.from(hosts.keys()).join(", ")}.`);
    return host;
  };
}

/**
 * Connects the server's port in the lab with a port of this machine, and the lab's mail port with the mail
 * server.
 */
async function openServerPort(
  parts: AsyncDisposableStack,
  host: LabHost,
  folder: string,
  port: number,
): Promise<string> {
  const socket = join(folder, "server.socket");
  const outside = await relay(`127.0.0.1:${port}`, socket);
  parts.defer(() => {
    outside.close();
  });
  await startProgram(host, "src/lab/hosts/relay.ts", {
    args: [socket, `127.0.0.1:${serverPort}`, `127.0.0.1:${mailPort}`, join(folder, "mail.socket")],
    log: "relay.log",
    ready: "listening",
  });
  const address = outside.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : port}`;
}

async function openParticipant(plan: ParticipantPlan, host: LabHost): Promise<LabParticipant> {
  const { publicKey } = await makeKeys(host);
  await startParticipant(plan, host);
  return { plan, host, publicKey };
}

/** Starts the server, and the agents on their nodes, which join. */
async function startProvider(
  host: LabHost,
  prepared: readonly NodeHost[],
  url: string,
  agentProgram: string,
): Promise<
  Pick<RunningLab, "serverEnvironment" | "server" | "restartServer"> & { readonly agent: AgentSettings }
> {
  const dataDir = join(host.folder, "data");
  await mkdir(dataDir, { recursive: true });
  const serverIdentity = await openIdentity(join(dataDir, "identity"), "Peerdeck server");
  const config = join(host.folder, "provider.toml");
  await writeFile(config, renderProfile(url, `smtp://127.0.0.1:${mailPort}`));
  const serverEnvironment = {
    PEERDECK_CONFIG: config,
    DATA_DIR: dataDir,
    HOST: "0.0.0.0",
    PORT: String(serverPort),
  };
  const startServer = (environment: Readonly<Record<string, string>>) =>
    startProgram(host, "build/programs/peerdeck.mjs", {
      args: ["server"],
      environment,
      log: "server.log",
      ready: "the server is listening",
    });
  const agent = { serverFingerprint: serverIdentity.fingerprint, agentProgram };
  const [started] = await Promise.all([
    startServer(serverEnvironment),
    ...prepared.map((node) => startNode(node, prepared, agent)),
  ]);
  const labServer = { host, environment: serverEnvironment };
  // One after the other: they are listed in the order of their joining.
  for (const node of prepared) await addNode(labServer, node.plan, node.host);
  let server = started;
  return {
    serverEnvironment,
    server: labServer,
    agent,
    restartServer: async (changes) => {
      await server.stop();
      server = await startServer({ ...serverEnvironment, ...changes });
    },
  };
}
