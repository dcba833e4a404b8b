/** A server starts with an empty database, and recovers it from six real nodes: no session of a participant is disturbed. */
import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { interfaceName } from "../../src/domain/peering/bgp-sessions.ts";
import { registerAccount } from "../../src/lab/accounts.ts";
import { type RunningLab, startLab } from "../../src/lab/lab.ts";
import { nodes, participants, provider } from "../../src/lab/network.ts";
import { calls } from "../../src/contract/calls.ts";
import { waitForTask } from "../integration/server/participant.ts";
import { eventually } from "./eventually.ts";
import { createPeering, findHost, logInToLab } from "./peering.ts";
import { type ConnectionState, establishedSince, findDisruptions } from "./router-state.ts";

const main = path.join(import.meta.dirname, "../../src/main.ts");
let lab: RunningLab;
let receiveMail: (text: string) => void = () => {};

beforeAll(async () => {
  lab = await startLab({ port: 0, onMail: (text) => receiveMail(text) });
  await Promise.all(
    participants.map(async ({ asn }) => {
      const participant = await logInToLab(lab, asn);
      for (const [index, { name }] of nodes.entries())
        await createPeering(lab, participant, name, {
          remote_port: String(51_820 + index),
          peer_ipv6: `fe80::${Number(asn.slice(-4))}`,
        });
    }),
  );
});
afterAll(() => lab[Symbol.asyncDispose]());

interface Connection extends ConnectionState {
  /** "syd01 AS4242420001" */
  readonly name: string;
  /** The kernel's number of the interface: another one after it was created again. */
  readonly interfaceIndex: number;
}

async function readConnections(): Promise<readonly Connection[]> {
  return Promise.all(
    nodes.flatMap((node) =>
      participants.map(async ({ asn }) => {
        const host = findHost(lab, node.name);
        const tunnel = interfaceName(asn);
        const [session, handshakes, transfer, link] = await Promise.all([
          host.run("birdc", "show", "protocols", tunnel),
          host.run("wg", "show", tunnel, "latest-handshakes"),
          host.run("wg", "show", tunnel, "transfer"),
          host.run("ip", "-o", "link", "show", "dev", tunnel),
        ]);
        return {
          name: `${node.name} AS${asn}`,
          since: establishedSince(session),
          handshake: Number(handshakes.split("\t")[1]),
          rxBytes: Number(transfer.split("\t")[1]),
          interfaceIndex: Number.parseInt(link, 10),
        };
      }),
    ),
  );
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

test("no session is disturbed by a start with an empty database, and by the recovery", async () => {
  const before = await eventually(readConnections, (connections) =>
    connections.every(({ since, handshake }) => since !== null && handshake > 0),
  );
  expect(before).toHaveLength(12);
  const host = findHost(lab, provider.host);
  const dataDir = path.join(host.folder, "empty");
  await mkdir(dataDir);
  await cp(path.join(host.folder, "data/identity"), path.join(dataDir, "identity"), { recursive: true });
  await lab.restartServer(dataDir);
  const log = await eventually(
    () => readFile(path.join(host.folder, "server.log"), "utf8"),
    (text) => text.match(/"msg":"2 peerings on \S+ are not in the database\./g)?.length === nodes.length,
  );
  expect(log).not.toContain("removal of an unwanted peering sent");
  expect(await findAllDisruptions(before)).toEqual([]);

  const settings = Object.entries({ ...lab.serverEnvironment, DATA_DIR: dataDir });
  const environment = settings.map(([name, value]) => `${name}=${value}`);
  const recover = (...args: readonly string[]) =>
    host.run("env", ...environment, process.execPath, main, "recover", ...args);
  expect((await recover()).match(/^ {2}add /gm)).toHaveLength(12);
  expect((await recover("--apply")).match(/^ {2}Written to the database\.$/gm)).toHaveLength(nodes.length);
  expect((await recover()).match(/^ {2}2 peerings are the same\.$/gm)).toHaveLength(nodes.length);
  await lab.restartServer(dataDir);
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
});
