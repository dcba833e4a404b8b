/** Compares what the server has at the end of a sequence with what the app has claimed. */
import { openDatabase } from "#server/db/open.ts";
import { outbox } from "../../integration/server/participant.ts";
import type { Environment } from "./environment.ts";
import { InvariantError } from "../campaigns/campaign.ts";
import type { Model } from "./model.ts";
import { participants } from "./participants.ts";

/** The server runs, and its database can be read meanwhile. */
export async function checkServer({ url, dataDir }: Environment, { sent, typedTexts }: Model): Promise<void> {
  await using database = await openDatabase({ dataDir, url: null, onError: () => undefined });
  const { db } = database;
  const asns = participants.map(({ asn }) => asn);
  const tasks = await db
    .selectFrom("tasks")
    .select(["id", "asn", "node", "status"])
    .where("asn", "in", asns)
    .execute();
  for (const [title, tasksOfPeering] of Map.groupBy(tasks, ({ asn, node }) => `${asn} ${node}`)) {
    const submits = sent.deployments.get(title) ?? 0;
    if (tasksOfPeering.length !== submits)
      throw new InvariantError(`${tasksOfPeering.length} deployments of AS${title} after ${submits} submits`);
  }
  for (const [taskID, outcome] of sent.outcomes) {
    const status = tasks.find(({ id }) => id === taskID)?.status ?? "missing";
    if ((status === "success") !== (outcome === "success"))
      throw new InvariantError(`the app showed ${outcome} for ${taskID}, which is ${status}`);
  }
  const mails = await outbox(url);
  const messages = asns.flatMap((asn) =>
    Array.from(typedTexts.get(asn) ?? []).filter((text) => text.startsWith("My session flaps")),
  );
  for (const text of messages) {
    const arrived = mails.filter((mail) => mail.text.includes(text)).length;
    const expected = sent.messages.includes(text) ? 1 : 0;
    if (arrived !== expected)
      throw new InvariantError(`the message «${text}» was mailed ${arrived} times instead of ${expected}`);
  }
}
