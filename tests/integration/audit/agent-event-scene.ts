/** Servers that collect the events of one simulated node, and what participants and the operator read of these. */
import { cp } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { systemClock } from "#agent/clock.ts";
import { calls } from "#contract/calls.ts";
import type { Transport } from "#contract/client.ts";
import { runAuditCommand } from "#cli/audit-command.ts";
import type { Db } from "#server/db/open.ts";
import { createTestDatabase, openAsServer, type TestDatabase } from "../../support/databases.ts";
import { createScratchFolder } from "../../support/scratch-folder.ts";
import { runOperatorCommand } from "../accounts/operator-command.ts";
import { deployPeering, type Participant, signUp } from "../server/participant.ts";
import { profileServer } from "../server/profile-server.ts";
import { openSimulatedNode } from "../server/simulated-node.ts";
import { createListedEvents, type ListedEvents, withEvents } from "./listed-events.ts";

export const node = "syd01";
export const asn = "4242420001";
export const reconcileEveryMs = 30;
const host = `${node}.demo.dn42`;
export const repaired = `${host} repaired your tunnel, which was missing or had been changed.`;

export async function readActivity({ asn: username, call }: Participant) {
  const { entries } = await call(calls.getActivity, { username });
  return entries.filter(({ kind }) => /^(tunnel|endpoint|router|agent)-/.test(kind));
}

export async function readTexts(participant: Participant): Promise<readonly string[]> {
  return (await readActivity(participant)).map(({ text }) => text);
}

/** The lines that the operator reads about agents, without times and the newest first. */
export async function readOperatorLog(at: TestDatabase): Promise<readonly string[]> {
  const { lines } = await runOperatorCommand(runAuditCommand, at, "--since", "30d");
  const texts = lines.map((line) => line.replace(/^\S+Z {2}/, ""));
  return texts.filter((line) => /\(kind=(tunnel|endpoint|router|agent)-/.test(line));
}

export function readRows(at: TestDatabase) {
  return editDatabase(at, (db) =>
    db
      .selectFrom("audit_events")
      .select(["kind", "asn", "at", "detail"])
      .where("node", "=", node)
      .where("task", "is", null)
      .where("kind", "not in", ["peering-created", "peering-changed"])
      .orderBy("id")
      .execute(),
  );
}

export async function editDatabase<T>(at: TestDatabase, edit: (db: Db) => Promise<T>): Promise<T> {
  await using database = await openAsServer(at);
  return await edit(database.db);
}

/** A simulated node without delays. The stack owns it. */
export async function simulatedNode(stack: AsyncDisposableStack): Promise<Transport> {
  return stack.use(await openSimulatedNode(node, { clock: systemClock, timeScale: 0 })).transport;
}

export async function copyDatabase(at: TestDatabase): Promise<TestDatabase> {
  if (at.kind === "postgres") {
    const copy = await createTestDatabase(new URL(at.url).pathname.slice(1));
    onTestFinished(() => copy[Symbol.asyncDispose]());
    return { kind: "postgres", url: copy.url };
  }
  const dataDir = await createScratchFolder(onTestFinished);
  await cp(at.dataDir, dataDir, { recursive: true });
  return { kind: "sqlite", dataDir };
}

/** Starts a server on the database. It stops with the stack, unless it was stopped before. */
export async function serve(
  stack: AsyncDisposableStack,
  at: TestDatabase,
  transport: Transport,
  everyMs = reconcileEveryMs,
) {
  const transports = new Map([[node, transport]]);
  const server = await profileServer({}, { at, transports, reconcileEveryMs: everyMs, watchEveryMs: 100 });
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await server[Symbol.asyncDispose]();
    isRunning = false;
  };
  stack.defer(stop);
  return { url: server.url, stop };
}

/** A server with a participant that has a peering, and an agent with these events. The stack owns them. */
export async function openScene(
  stack: AsyncDisposableStack,
  at: TestDatabase,
  events: ListedEvents = createListedEvents(),
) {
  const transport = withEvents(await simulatedNode(stack), events);
  const server = await serve(stack, at, transport);
  const participant = await signUp(server.url, asn);
  await deployPeering(participant, node);
  return { at, transport, server, participant, events };
}

export type EventScene = Awaited<ReturnType<typeof openScene>>;
