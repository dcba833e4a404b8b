/** Compares what a stopped server left in its database, on the nodes and in mailboxes with what it had confirmed. */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { type Db, openDatabase } from "#server/db/open.ts";
import type { Provider } from "#tests/integration/provider/provider.ts";
import { InvariantError } from "../campaign.ts";
import type { Record } from "./record.ts";

export interface DeliveredMail {
  readonly id: string;
  readonly text: string;
}

/** Reads a mail as the mail server received it. */
export function readMail(received: string): DeliveredMail {
  return { id: /^message-id: *(\S+)/im.exec(received)?.[1] ?? "", text: received.replaceAll(/\s+/g, " ") };
}

/** Resolves when every confirmed message has arrived at least once. */
export function missingMails({ messages }: Record, mails: readonly DeliveredMail[]): readonly string[] {
  return messages
    .filter(({ text, outcome }) => outcome === "accepted" && !mails.some((mail) => mail.text.includes(text)))
    .map(({ text }) => text);
}

/**
 * The outbox promises that a confirmed mail arrives, with one message ID, and that it may arrive again only if the server
 * or its database died between the delivery and its record. A refused mail never arrives.
 */
export function checkMails(record: Record, mails: readonly DeliveredMail[], faults: number): void {
  for (const { text, outcome } of record.messages) {
    const arrived = mails.filter((mail) => mail.text.includes(text));
    const ids = new Set(arrived.map(({ id }) => id));
    if (outcome === "accepted" && arrived.length === 0)
      throw new InvariantError(`the confirmed message «${text}» never arrived`);
    if (outcome === "refused" && arrived.length > 0)
      throw new InvariantError(`the refused message «${text}» arrived`);
    if (ids.size > 1) throw new InvariantError(`the message «${text}» was written ${ids.size} times`);
    if (arrived.length > 1 + faults)
      throw new InvariantError(
        `the message «${text}» arrived ${arrived.length} times after ${faults} faults`,
      );
    if (arrived.length > 1) record.count("mails delivered again");
  }
}

/** @param url null for SQLite in `dataDir` */
export async function checkDatabase(record: Record, dataDir: string, url: string | null): Promise<void> {
  await using database = await openDatabase({ dataDir, url, onError: () => undefined });
  const { db } = database;
  if (url === null) {
    const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(db);
    if (rows[0]?.integrity_check !== "ok")
      throw new InvariantError(`SQLite: ${JSON.stringify(rows.slice(0, 5))}`);
  }
  await checkTasks(record, db);
  await checkPeerings(record, db);
  const unsent = await countUnsentMails(db);
  if (unsent > 0) throw new InvariantError(`${unsent} mails were not sent`);
}

/** Waits until the running server has sent every mail, or the time is up. Notices, for example of logins, become mails too. */
export async function waitForMails(dataDir: string, url: string | null, limitMs: number): Promise<void> {
  await using database = await openDatabase({ dataDir, url, onError: () => undefined });
  const deadline = performance.now() + limitMs;
  while ((await countUnsentMails(database.db)) > 0 && performance.now() < deadline) await pause(100);
}

async function countUnsentMails(db: Db): Promise<number> {
  const mails = await db.selectFrom("outbox").select("id").where("sent_at", "is", null).execute();
  const notices = await db.selectFrom("account_notices").select("id").execute();
  return mails.length + notices.length;
}

async function checkTasks({ deployments }: Record, db: Db): Promise<void> {
  const tasks = await db
    .selectFrom("tasks")
    .select(["id", "asn", "node", "kind", "status", "request"])
    .execute();
  const waiting = tasks.filter(({ status }) => status === "waiting");
  if (waiting.length > 0) throw new InvariantError(`${waiting.length} tasks have no end`);
  for (const { asn, node, kind, port, outcome, taskID } of deployments) {
    const title = `AS${asn} ${node}: the ${outcome} ${kind} ${port ?? ""}`;
    if (taskID !== null && !tasks.some(({ id }) => id === taskID))
      throw new InvariantError(`${title} has no task ${taskID}`);
    if (port === null) continue;
    const ofPort = tasks.filter(
      ({ request }) => request?.includes(`"${port}"`) || request?.includes(`:${port},`),
    );
    if (ofPort.length > 1) throw new InvariantError(`${title} has ${ofPort.length} tasks`);
    if (outcome === "refused" && ofPort.length > 0) throw new InvariantError(`${title} has a task`);
  }
  const deletions = tasks.filter(({ kind }) => kind === "delete").length;
  const sent = deployments.filter(({ kind, outcome }) => kind === "delete" && outcome !== "refused").length;
  if (deletions > sent)
    throw new InvariantError(`${deletions} tasks delete, and ${sent} deletions were sent`);
}

async function checkPeerings({ peerings }: Record, db: Db): Promise<void> {
  const rows = await db.selectFrom("peerings").select(["asn", "node", "present", "peering"]).execute();
  const found = rows.map(({ asn, node, present, peering }) => {
    const { endpointPort } = JSON.parse(peering) as { readonly endpointPort: number };
    return `AS${asn} ${node} ${endpointPort}${present === 1 ? "" : " being deleted"}`;
  });
  expectSame("the database", found, listPeerings(peerings));
}

/** The peerings in the agents' own files. */
export async function checkNodes({ peerings }: Record, provider: Provider): Promise<void> {
  const found: string[] = [];
  for (const { node } of provider.agents)
    for (const { asn, routed } of await provider.readPeerings(node))
      if (routed) found.push(`AS${asn} ${node} ${routed.peering.endpointPort}`);
  expectSame("the nodes", found, listPeerings(peerings));
}

function listPeerings(peerings: Record["peerings"]): readonly string[] {
  return Array.from(peerings).flatMap(([title, port]) => (port === null ? [] : [`${title} ${port}`]));
}

function expectSame(where: string, found: readonly string[], expected: readonly string[]): void {
  const [left, right] = [found.toSorted().join(", "), expected.toSorted().join(", ")];
  if (left !== right)
    throw new InvariantError(`${where}: ${left || "nothing"}, expected ${right || "nothing"}`);
}
