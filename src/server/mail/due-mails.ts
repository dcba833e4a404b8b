/**
 * Finds the mails that are due, in the order of turns (turns.ts).
 *
 * Invariant: while mails of many parties wait, the queue is not read for each free place, and reading it takes at most a
 * twentieth of the time. A mail that was written since then gets its turn after the next reading, within two seconds.
 */
import { toAddressPrefix } from "../../domain/client-key.ts";
import type { Db } from "../db/open.ts";
import { createTurns, type WaitingMail } from "./turns.ts";

export interface DueMails {
  /** Ids of mails that are due, by turns. Mails whose link has ended are first: they cost no delivery. */
  find(now: number, limit: number, except: readonly string[]): Promise<readonly string[]>;
  /** Counts a turn of the mail's party. A mail that was not found has none. */
  take(id: string): void;
}

interface DueMail extends WaitingMail {
  readonly hasEnded: boolean;
}

const [minIntervalMs, maxIntervalMs] = [500, 2_000];
/** Of one client and AS. More are delivered after the next reading. */
const maxPerParty = 4;
/** The party of mails that no unknown client has requested: notices, messages to support, links of known clients. */
const ownParty = "server";

export function createDueMails(db: Db): DueMails {
  const turns = createTurns();
  let mails = new Map<string, DueMail>();
  let nextReadingAt = -Infinity;

  async function read(now: number, except: readonly string[]): Promise<void> {
    const startedAt = performance.now();
    const ranked = db
      .selectFrom("outbox")
      .leftJoin("account_tokens as token", "token.hash", "outbox.token_hash")
      .select(["outbox.id", "outbox.asn", "requested_by", "token_hash", "token.expires_at"])
      .select(({ fn }) =>
        fn
          .agg<number>("row_number")
          .over((over) => over.partitionBy(["requested_by", "outbox.asn"]).orderBy("outbox.id"))
          .as("place"),
      )
      .where("sent_at", "is", null)
      .where("next_attempt_at", "<=", now)
      .$if(except.length > 0, (query) => query.where("outbox.id", "not in", except));
    const rows = await db
      .selectFrom(ranked.as("mail"))
      .select(["id", "asn", "requested_by", "token_hash", "expires_at"])
      .where("place", "<=", maxPerParty)
      .orderBy("id")
      .execute();
    mails = new Map(
      rows.map(({ id, asn, requested_by: client, token_hash: token, expires_at: end }) => [
        id,
        { id, party: partyOf(client, asn), hasEnded: token !== null && (end === null || end <= now) },
      ]),
    );
    const readAt = performance.now();
    nextReadingAt = readAt + Math.min(maxIntervalMs, Math.max(minIntervalMs, 20 * (readAt - startedAt)));
  }

  function listWaiting(except: ReadonlySet<string>): readonly DueMail[] {
    return [...mails.values()].filter(({ id }) => !except.has(id));
  }

  return {
    async find(now, limit, except) {
      const excepted = new Set(except);
      let waiting = performance.now() < nextReadingAt ? listWaiting(excepted) : [];
      if (waiting.length === 0) {
        await read(now, except);
        waiting = listWaiting(excepted);
      }
      const ended = waiting.filter(({ hasEnded }) => hasEnded);
      const live = waiting.filter(({ hasEnded }) => !hasEnded);
      return [...ended, ...turns.order(live, limit)].slice(0, limit).map(({ id }) => id);
    },
    take(id) {
      const mail = mails.get(id);
      mails.delete(id);
      if (mail && !mail.hasEnded) turns.take(mail.party);
    },
  };
}

function partyOf(client: string | null, asn: string | null): readonly string[] {
  return client === null ? [ownParty, asn ?? ""] : [toAddressPrefix(client) ?? client, client, asn ?? ""];
}
