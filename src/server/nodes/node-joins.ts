/**
 * The tokens with which nodes may join (`peerdeck nodes add`).
 *
 * Invariant: a token lets one node join. It is void after its time, after its use, and after `maxWrongProofs` wrong proofs.
 */
import type { Selectable } from "kysely";
import { createJoinToken, type JoinToken } from "../../mtls/join-proof.ts";
import type { Db } from "../db/open.ts";
import type { NodeJoinsTable } from "../db/schema/node-tables.ts";
import type { Sealer } from "../db/secrets/sealer.ts";
import { secretPlaces } from "../db/secrets/stored-secrets.ts";

export type NodeJoin = Selectable<NodeJoinsTable>;

const maxWrongProofs = 5;
const keptMs = 30 * 24 * 3_600_000;

export interface NewJoin {
  readonly node: string;
  readonly place: string;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly expiresAt: number;
}

/** Adds a token for a node, whose earlier ones are void from now on. Forgets tokens that expired a month ago. */
export async function addJoin(
  tx: Db,
  sealer: Sealer,
  { expiresAt, ...join }: NewJoin,
  now: number,
): Promise<JoinToken> {
  const token = createJoinToken();
  await tx
    .updateTable("node_joins")
    .set({ expires_at: now })
    .where("node", "=", join.node)
    .where("expires_at", ">", now)
    .execute();
  await tx
    .deleteFrom("node_joins")
    .where("expires_at", "<", now - keptMs)
    .execute();
  const row = { token: token.id, ...join, created_at: now, expires_at: expiresAt };
  const secret = sealer.seal(token.secret, secretPlaces.joinSecret(token.id));
  await tx
    .insertInto("node_joins")
    .values({ ...row, secret, wrong_proofs: 0, used_at: null })
    .execute();
  return token;
}

/** Null if there is no such token. */
export async function findJoin(db: Db, token: string): Promise<NodeJoin | null> {
  const row = await db.selectFrom("node_joins").selectAll().where("token", "=", token).executeTakeFirst();
  return row ?? null;
}

/** Returns the tokens with which nodes can join now, by the node's name. */
export async function listValidJoins(db: Db, now: number): Promise<readonly NodeJoin[]> {
  const rows = await db.selectFrom("node_joins").selectAll().orderBy("node").execute();
  return rows.filter((join) => findVoidReason(join, now) === null);
}

export type VoidReason = "used" | "guessed" | "expired";

/** Why no node can join with a token any more; null if one can. */
export function findVoidReason(join: NodeJoin, now: number): VoidReason | null {
  if (join.used_at !== null) return "used";
  if (join.wrong_proofs >= maxWrongProofs) return "guessed";
  return join.expires_at <= now ? "expired" : null;
}

/** Counts a wrong proof, as long as the number matters. */
export async function countWrongProof(db: Db, token: string): Promise<void> {
  await db
    .updateTable("node_joins")
    .set((row) => ({ wrong_proofs: row("wrong_proofs", "+", 1) }))
    .where("token", "=", token)
    .where("wrong_proofs", "<", maxWrongProofs)
    .execute();
}

export async function markUsed(tx: Db, token: string, now: number): Promise<void> {
  await tx.updateTable("node_joins").set({ used_at: now }).where("token", "=", token).execute();
}
