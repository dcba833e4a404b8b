/**
 * Compares, by their IDs, everything that was submitted with what the database, the agents, the pages and the push service
 * have: nothing is missing, and nothing has happened twice.
 */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { LogLine } from "#tests/integration/provider/program.ts";
import type { Installation } from "./installation.ts";
import type { LoadRecord } from "./load.ts";
import type { Population } from "./participants.ts";

interface Compared {
  readonly record: LoadRecord;
  /** When the load began, in milliseconds since 1970. */
  readonly since: number;
}

interface EndedTask {
  readonly id: string;
  readonly asn: string;
  readonly node: string;
  readonly status: string;
  readonly generation: number;
  readonly request: string | null;
  readonly ended_at: number | null;
}

/** Push messages that a server had sent and not noted when it was killed are sent again within this time. */
const settleMs = 15_000;
const shownIds = 3;
const maxNoticeMs = 1_000;

/** Returns a line for each comparison. */
export async function compareEverything(
  installation: Installation,
  population: Population,
  { record, since }: Compared,
): Promise<string> {
  await waitForPushMessages(installation);
  const tasks = await installation.database.db
    .selectFrom("tasks")
    .select(["id", "asn", "node", "status", "generation", "request", "ended_at"])
    .where("created_at", ">=", since)
    .execute();
  return [
    ...compareTasks(record, tasks),
    ...(await compareRecordedEnds(installation, tasks)),
    ...compareApplies(installation.agents.log, tasks),
    ...(await compareNodes(installation)),
    ...comparePushMessages(installation, population, tasks),
    ...comparePages(population, record, tasks),
  ].join("");
}

async function waitForPushMessages({ database }: Installation): Promise<void> {
  const deadline = performance.now() + settleMs;
  while (performance.now() < deadline) {
    const { rows } = await sql`SELECT id FROM push_messages LIMIT 1`.execute(database.db);
    if (rows.length === 0) return;
    await pause(100);
  }
}

/** A line that says how many there are, and names some of those that should not be. */
function line(what: string, wrong: readonly string[], outOf: number): string {
  const shown = wrong.slice(0, shownIds).join(", ");
  const verdict = wrong.length === 0 ? "met   " : "missed";
  return `  ${verdict}  ${what}: ${wrong.length} of ${outOf}${shown && ` (${shown})`}\n`;
}

function countBy<T>(values: readonly T[], key: (value: T) => string): ReadonlyMap<string, number> {
  return new Map(Array.from(Map.groupBy(values, key), ([name, all]) => [name, all.length]));
}

/** The keys that are there more than once. */
function doubled<T>(values: readonly T[], key: (value: T) => string): readonly string[] {
  return Array.from(countBy(values, key)).flatMap(([name, count]) =>
    count > 1 ? [`${name}: ${count}`] : [],
  );
}

function compareTasks({ submits }: LoadRecord, tasks: readonly EndedTask[]): readonly string[] {
  const ofSubmit = ({ request }: EndedTask) => {
    const { endpointPort } = JSON.parse(request ?? "{}") as { readonly endpointPort?: number };
    return String(endpointPort);
  };
  const ids = new Set(tasks.map(({ id }) => id));
  const accepted = new Set(submits.map(({ taskID }) => taskID));
  return [
    line(
      "tasks without an end or a success",
      tasks.flatMap(({ id, status }) => (status === "success" ? [] : [id])),
      tasks.length,
    ),
    line(
      "accepted submits without their task",
      [...accepted].filter((id) => !ids.has(id)),
      accepted.size,
    ),
    line(
      "tasks that no participant knows",
      [...ids].filter((id) => !accepted.has(id)),
      tasks.length,
    ),
    line("submits with two tasks", doubled(tasks, ofSubmit), submits.length),
  ];
}

/** Each end is one row of the audit log, written in the transaction of the end. */
async function compareRecordedEnds(
  { database }: Installation,
  tasks: readonly EndedTask[],
): Promise<readonly string[]> {
  const events = await database.db
    .selectFrom("audit_events")
    .select(["task", "kind"])
    .where("kind", "in", ["deployment-succeeded", "deployment-failed"])
    .execute();
  const counts = countBy(events, ({ task }) => task ?? "");
  const wrong = tasks.filter(({ id }) => counts.get(id) !== 1).map(({ id }) => id);
  return [line("tasks whose end is not recorded once", wrong, tasks.length)];
}

function changeKey(...parts: readonly unknown[]): string {
  return parts.map(String).join(" ");
}

function keyOfLine({ node, asn, generation }: LogLine): string {
  return changeKey(node, asn, generation);
}

/** A server repeats the call of the one that was killed; the node must change only once. */
function compareApplies(log: readonly LogLine[], tasks: readonly EndedTask[]): readonly string[] {
  const own = new Set(tasks.map(({ node, asn, generation }) => changeKey(node, asn, generation)));
  const decided = log.filter(
    ({ msg, node, asn, generation }) => msg === "change decided" && own.has(changeKey(node, asn, generation)),
  );
  const effective = decided.filter(({ outcome, steps }) => {
    const codes = (steps as ReadonlyArray<{ readonly code: string }>).map(({ code }) => code);
    return outcome === "applied" && !codes.includes("no-changes");
  });
  const changed = new Set(effective.map(keyOfLine));
  return [
    line(
      "changes without an effect on their node",
      [...own].filter((key) => !changed.has(key)),
      own.size,
    ),
    line("changes with two effects on their node", doubled(effective, keyOfLine), own.size),
    `          calls of agents that were repeated: ${doubled(decided, keyOfLine).length}\n`,
  ];
}

async function compareNodes({ provider, nodes, database }: Installation): Promise<readonly string[]> {
  const rows = await database.db.selectFrom("peerings").select(["asn", "node", "generation"]).execute();
  const desired = new Set(rows.map(({ asn, node, generation }) => `${node} ${asn} ${generation}`));
  const running = new Set<string>();
  for (const node of nodes)
    for (const { asn, generation, routed } of await provider.readPeerings(node))
      if (routed) running.add(`${node} ${asn} ${generation}`);
  const different = [
    ...[...desired].filter((peering) => !running.has(peering)),
    ...[...running].filter((peering) => !desired.has(peering)),
  ];
  return [line("peerings that a node runs otherwise", different, desired.size)];
}

/** As in `src/server/push/messages.ts`. */
function topicOf(taskID: string): string {
  return createHash("sha256").update(taskID).digest("base64url").slice(0, 32);
}

function comparePushMessages(
  { pushService }: Installation,
  { participants }: Population,
  tasks: readonly EndedTask[],
): readonly string[] {
  const browserOf = new Map(participants.map(({ asn, browser }) => [asn, browser]));
  const counts = countBy(pushService.received, ({ browser, topic }) => `${browser} ${topic}`);
  const countOf = ({ id, asn }: EndedTask) => counts.get(`${browserOf.get(asn)} ${topicOf(id)}`) ?? 0;
  return [
    line(
      "tasks without a push message",
      tasks.filter((task) => countOf(task) === 0).map(({ id }) => id),
      tasks.length,
    ),
    line(
      "push messages that arrived twice",
      tasks.filter((task) => countOf(task) > 1).map(({ id }) => id),
      tasks.length,
    ),
  ];
}

/** A page learns of an end by an event, or it reads again after its stream has begun again. */
function comparePages(
  { participants }: Population,
  { polledEnds }: LoadRecord,
  tasks: readonly EndedTask[],
): readonly string[] {
  const lost: string[] = [];
  const twice: string[] = [];
  let count = 0;
  const byAsn = Map.groupBy(tasks, ({ asn }) => asn);
  for (const { asn, streams } of participants)
    for (const { ends, reconnections } of streams) {
      const counts = countBy(ends, ({ taskID }) => taskID);
      for (const { id, ended_at } of byAsn.get(asn) ?? []) {
        count += 1;
        const wasRead = reconnections.some(({ brokenAt, connectedAt }) => {
          // The server dies before the page notices.
          const at = ended_at ?? 0;
          return at > brokenAt - maxNoticeMs && at < connectedAt;
        });
        if (!counts.has(id) && !wasRead) lost.push(id);
        if ((counts.get(id) ?? 0) > 1) twice.push(id);
      }
    }
  return [
    line("ends that a page received neither by an event nor when it read again", lost, count),
    line("ends that a page received twice", twice, count),
    line("tasks whose end a page found by polling", polledEnds, tasks.length),
  ];
}
