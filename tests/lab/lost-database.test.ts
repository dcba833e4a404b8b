/**
 * A server starts with an older backup, with the wrong DATABASE_URL, and with an empty database, and recovers the peerings
 * from six real nodes: none of the 24 sessions of participants is disturbed.
 */
import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseDump } from "../../src/agent/drivers/wireguard/parse-dump.ts";
import { calls } from "../../src/contract/calls.ts";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { registerAccount } from "../../src/lab/accounts.ts";
import { relay } from "../../src/lab/hosts/relay.ts";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import {
  nodes,
  type ParticipantPlan,
  participants as twoParticipants,
  provider,
} from "../../src/lab/network.ts";
import { waitForTask } from "../integration/server/participant.ts";
import { startPostgresCluster } from "../support/postgres-cluster.ts";
import { eventually } from "./eventually.ts";
import { createPeering, findHost, logInToLab } from "./peering.ts";
import { type ConnectionState, establishedSince, findDisruptions } from "./router-state.ts";

const main = path.join(import.meta.dirname, "../../src/main.ts");

/** In the registry, each with one mail address. */
const others = [3, 6].map((number): ParticipantPlan => ({
  asn: String(4_242_420_000 + number),
  name: `as${4_242_420_000 + number}`,
  speaker: "BIRD",
  password: `number ${number} of the lab`,
  publicIp: `192.0.2.${100 + number}`,
  ipv4: { prefix: `172.20.${number}.0/${number === 3 ? 27 : 26}`, address: `172.20.${number}.1` },
  ipv6: { prefix: `fd42:4242:${number}::/48`, address: `fd42:4242:${number}::1` },
}));
const participants = [...twoParticipants, ...others];

let lab: RunningLab;
let receiveMail: (text: string) => void = () => {};
const parts = new AsyncDisposableStack();
let backup: string;

beforeAll(async () => {
  lab = parts.use(await startLab({ port: 0, participants, onMail: (text) => receiveMail(text) }));
  await createPeerings(twoParticipants);
  backup = path.join(findHost(lab, provider.host).folder, "backup.tar");
  expect(await runCommand({}, "backup", backup)).toContain("the database, the secret key, ");
  await createPeerings(others);
}, 240_000);
afterAll(() => parts.disposeAsync());

async function createPeerings(plans: readonly ParticipantPlan[]): Promise<void> {
  await Promise.all(
    plans.map(async ({ asn }) => {
      const participant = await logInToLab(lab, asn);
      for (const [index, { name }] of nodes.entries())
        await createPeering(lab, participant, name, {
          remote_port: String(51_820 + index),
          peer_ipv6: `fe80::${Number(asn.slice(-4))}`,
        });
    }),
  );
}

/** Runs a command of the server's program with its settings. */
async function runCommand(
  changes: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const settings = Object.entries({ ...lab.serverEnvironment, ...changes });
  const environment = settings.map(([name, value]) => `${name}=${value}`);
  return findHost(lab, provider.host).run("env", ...environment, process.execPath, main, ...args);
}

interface Connection extends ConnectionState {
  /** "syd01 AS4242420001" */
  readonly name: string;
  /** The kernel's number of the interface: another one after it was created again. */
  readonly interfaceIndex: number;
}

async function readConnections(): Promise<readonly Connection[]> {
  const ofNodes = await Promise.all(
    nodes.map(async (node) => {
      const host = findHost(lab, node.name);
      const [protocols, dump, links] = await Promise.all([
        host.run("birdc", "show", "protocols"),
        host.run("wg", "show", "all", "dump"),
        host.run("ip", "-o", "link", "show"),
      ]);
      const tunnels = parseDump(dump);
      return participants.map(({ asn }) => {
        const tunnel = interfaceName(asn);
        const peer = tunnels.get(tunnel)?.peers[0];
        const session = protocols.split("\n").find((line) => line.startsWith(`${tunnel} `)) ?? "";
        return {
          name: `${node.name} AS${asn}`,
          since: establishedSince(session),
          handshake: peer?.latestHandshake ?? 0,
          rxBytes: peer?.rxBytes ?? 0,
          interfaceIndex: Number(new RegExp(`^(\\d+): ${tunnel}[:@]`, "m").exec(links)?.[1]),
        };
      });
    }),
  );
  return ofNodes.flat();
}

/** Returns how any connection was disturbed since `before`. */
async function findAllDisruptions(before: readonly Connection[]): Promise<readonly string[]> {
  const after = await readConnections();
  return before.flatMap((connection, index) => {
    const now = after[index];
    if (now?.interfaceIndex !== connection.interfaceIndex) return [`${connection.name}: another tunnel`];
    return findDisruptions(connection, now).map((disruption) => `${connection.name}: ${disruption}`);
  });
}

const readLog = () => readFile(path.join(findHost(lab, provider.host).folder, "server.log"), "utf8");

/** Starts the server with other settings, and waits until it has told the operator about each node and monitoring. */
async function startWith(changes: Readonly<Record<string, string>>, missingPerNode: number): Promise<void> {
  const { length } = await readLog();
  await lab.restartServer(changes);
  const sentence = new RegExp(`"msg":"${missingPerNode} peerings on \\S+ are not in the database\\.`, "g");
  const log = await eventually(
    async () => (await readLog()).slice(length),
    (text) => text.match(sentence)?.length === nodes.length,
  );
  expect(log).not.toContain("the removal of an unwanted peering");
}

/** Recovers, restarts the server, and expects that the database then has all peerings. */
async function recover(changes: Readonly<Record<string, string>>, missing: number): Promise<void> {
  expect((await runCommand(changes, "recover")).match(/^ {2}add /gm)).toHaveLength(missing);
  const applied = await runCommand(changes, "recover", "--apply");
  expect(applied.match(/^ {2}Written to the database\.$/gm)).toHaveLength(nodes.length);
  const same = await runCommand(changes, "recover");
  expect(same.match(/^ {2}4 peerings are the same\.$/gm)).toHaveLength(nodes.length);
  await lab.restartServer(changes);
}

/** Creates a folder with the server's identity only. */
async function createDataDir(name: string): Promise<string> {
  const { folder } = findHost(lab, provider.host);
  const dataDir = path.join(folder, name);
  await mkdir(dataDir, { mode: 0o700 });
  await cp(path.join(folder, "data/identity"), path.join(dataDir, "identity"), { recursive: true });
  return dataDir;
}

test("no session is disturbed by another database, an older one or an empty one, and by the recovery", async () => {
  const before = await eventually(readConnections, (connections) =>
    connections.every(({ since, handshake }) => since !== null && handshake > 0),
  );
  expect(before).toHaveLength(24);
  const { folder } = findHost(lab, provider.host);

  const postgres = parts.use(await startPostgresCluster());
  const url = new URL(postgres.adminUrl);
  // The lab's hosts share only the file system with this machine.
  const socket = await relay(path.join(folder, ".s.PGSQL.5432"), url.host);
  parts.defer(() => void socket.close());
  const wrong = `postgres://postgres:${url.password}@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await startWith({ DATABASE_URL: wrong }, 4);
  expect(await findAllDisruptions(before)).toEqual([]);
  // The right one again.
  await lab.restartServer({});
  expect((await runCommand({}, "recover")).match(/^ {2}4 peerings are the same\.$/gm)).toHaveLength(6);

  const older = { DATA_DIR: path.join(folder, "older") };
  await runCommand(older, "restore", backup);
  await startWith(older, 2);
  expect(await findAllDisruptions(before)).toEqual([]);
  await recover(older, 12);
  expect(await findAllDisruptions(before)).toEqual([]);

  const empty = { DATA_DIR: await createDataDir("empty") };
  await startWith(empty, 4);
  expect(await findAllDisruptions(before)).toEqual([]);
  await recover(empty, 24);
  expect(await findAllDisruptions(before)).toEqual([]);

  const [plan] = participants;
  if (!plan) throw new Error("the lab has no participant");
  const { promise: mail, resolve } = Promise.withResolvers<string>();
  receiveMail = resolve;
  await registerAccount(lab.url, plan, () => mail);
  const { call, username } = await logInToLab(lab, plan.asn);
  const { taskID } = await call(calls.deletePeer, { username, node: "syd01" });
  expect(await waitForTask({ asn: username, cookie: "", call }, taskID)).toMatchObject({ status: "success" });
  expect(await findHost(lab, "syd01").run("wg", "show", "interfaces")).not.toContain(interfaceName(plan.asn));
}, 240_000);
