/**
 * The addresses from which servers connect to the agents.
 *
 * Invariant: they come from the servers' own interfaces and from the operator, never from an agent: one of a compromised node
 * could otherwise open the port of all agents.
 */
import { networkInterfaces } from "node:os";
import type { Logger } from "pino";
import { isLinkLocal } from "../../domain/address-ranges.ts";
import { noOrigin } from "../audit/audit-event.ts";
import { recordEvent } from "../audit/record-event.ts";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";
import type { Db } from "../db/open.ts";
import { createJobLoop, type JobLoop } from "../jobs/job-loop.ts";

const lookEveryMs = 5_000;
const storeEveryMs = 3_600_000;
/** An agent that was away for so long needs `peerdeck-agent accept-server`. */
const keptMs = 30 * 24 * 3_600_000;

/** Returns the addresses and prefixes, canonical. */
export async function readServerAddresses(db: Db): Promise<readonly string[]> {
  const rows = await db.selectFrom("server_addresses").select("address").execute();
  return rows.map(({ address }) => address);
}

export interface ServerAddress {
  /** An address or prefix, canonical. */
  readonly address: string;
  /** Whether the operator has added it. */
  readonly isManual: boolean;
  /** When a server last had it, or the operator added it, ISO 8601. */
  readonly seenAt: string;
}

export async function listServerAddresses(db: Db): Promise<readonly ServerAddress[]> {
  const rows = await db.selectFrom("server_addresses").selectAll().orderBy("address").execute();
  return rows.map(({ address, is_manual, seen_at }) => ({
    address,
    isManual: is_manual === 1,
    seenAt: new Date(seen_at).toISOString(),
  }));
}

/** Adds and removes addresses for the operator, and returns what has changed, one sentence each. */
export async function changeServerAddresses(
  { db, clock }: Pick<ServerAddressDeps, "db" | "clock">,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Promise<readonly string[]> {
  return db.transaction().execute(async (tx) => {
    const changes: string[] = [];
    for (const address of remove) {
      const { numDeletedRows } = await tx
        .deleteFrom("server_addresses")
        .where("address", "=", address)
        .executeTakeFirst();
      if (numDeletedRows > 0n)
        changes.push(`${address} was removed. A running server that has it adds it again within a minute.`);
    }
    for (const address of add) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("server_addresses")
        .values({ address, is_manual: 1, seen_at: clock() })
        .onConflict((conflict) =>
          conflict
            .column("address")
            .doUpdateSet({ is_manual: 1 })
            .where("server_addresses.is_manual", "=", 0),
        )
        .executeTakeFirst();
      if ((numInsertedOrUpdatedRows ?? 0n) > 0n) changes.push(`${address} was added.`);
    }
    const event = { kind: "server-addresses-changed", asn: null, detail: changes.join(" ") } as const;
    if (changes.length > 0) await recordEvent(tx, event, noOrigin, clock());
    return changes;
  });
}

export interface ServerAddressDeps {
  readonly db: Db;
  readonly clock: () => number;
  readonly retentionClock: () => number;
  readonly log: Pick<Logger, "error" | "info">;
  /** Called when this server has an address that the database did not have. */
  readonly onAdded: () => void;
}

/** Creates the loop that stores the addresses of this server's interfaces, and forgets those that no server has had for a month. */
export function createServerAddressUpdates(deps: ServerAddressDeps): JobLoop {
  const { db, clock, retentionClock, log } = deps;
  let stored = "";
  let storedAt = -Infinity;
  return createJobLoop({
    pollMs: lookEveryMs,
    run: async () => {
      const own = listOwnAddresses();
      const now = clock();
      if (own.join() === stored && Math.abs(now - storedAt) < storeEveryMs) return;
      const known = new Set(await readServerAddresses(db));
      for (const address of own) {
        await db
          .insertInto("server_addresses")
          .values({ address, is_manual: 0, seen_at: now })
          .onConflict((conflict) => conflict.column("address").doUpdateSet({ seen_at: now }))
          .execute();
      }
      stored = own.join();
      storedAt = now;
      const added = own.filter((address) => !known.has(address));
      if (added.length > 0) {
        log.info({ addresses: added }, "this server has new addresses, which the agents receive");
        deps.onAdded();
      }
      await db
        .deleteFrom("server_addresses")
        .where("is_manual", "=", 0)
        .where("seen_at", "<", retentionClock() - keptMs)
        .execute();
    },
    onError: (error) => log.error({ err: error }, "the addresses of this server could not be stored"),
  });
}

/** The addresses that a connection to another machine can have. */
function listOwnAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address, internal }) => {
      const parsed = internal ? null : parseAddress(address);
      const canonical = parsed && formatAddress(parsed);
      return canonical === null || isLinkLocal(canonical) ? [] : [canonical];
    }),
  );
}
