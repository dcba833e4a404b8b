/** Notices: changes that a mail reports to the holder of an account. They are written together with the change. */
import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { describeBrowser } from "#domain/browser-name.ts";
import type { RequestOrigin } from "#server/api/handlers.ts";
import { toAddressPrefix } from "#domain/client-key.ts";
import type { Events } from "#server/db/events.ts";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema/schema.ts";
import { type KeyNotice, keyNotices } from "../../peerings/node-keys/notify-of-key.ts";

export type NoticeRow = Selectable<Schema["account_notices"]>;

/** The kinds that report changes of the account itself. */
export type AccountNoticeKind = Exclude<NoticeRow["kind"], NodeNoticeKind>;

/** The kinds that report changes of a node. */
export type NodeNoticeKind = KeyNotice["notice"] | "nodeAddressChanged" | "nodeForgotten";

export function isOfNode(kind: NoticeRow["kind"]): kind is NodeNoticeKind {
  return ["nodeAddressChanged", "nodeForgotten", ...keyNotices].includes(kind);
}

interface NodeNotice {
  readonly asn: string;
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Notice {
  readonly asn: string;
  readonly kind: AccountNoticeKind;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Writes a notice within the caller's transaction. Call `announceNotice` after the commit. */
export async function writeNotice(
  tx: Db,
  { asn, kind, at }: Notice,
  { clientAddress, userAgent, publicUrl }: RequestOrigin,
): Promise<void> {
  await tx
    .insertInto("account_notices")
    .values({
      id: randomUUID(),
      asn,
      kind,
      at,
      address_prefix: toAddressPrefix(clientAddress),
      browser: describeBrowser(userAgent),
      node: null,
      public_url: publicUrl,
    })
    .execute();
}

/** Writes a notice about the key of a node, as `writeNodeNotice` does: only the last tells what the participant has to do. */
export async function writeNodeKeyNotice(tx: Db, { notice: kind, ...notice }: KeyNotice): Promise<void> {
  await writeNodeNotice(tx, kind, notice, keyNotices);
}

/** Writes a notice that a node has another address, as `writeNodeNotice` does. */
export async function writeNodeAddressNotice(tx: Db, notice: NodeNotice): Promise<void> {
  await writeNodeNotice(tx, "nodeAddressChanged", notice);
}

/** Writes a notice that the operator has removed a node with its peerings, as `writeNodeNotice` does. */
export async function writeForgottenNodeNotice(tx: Db, notice: NodeNotice): Promise<void> {
  await writeNodeNotice(tx, "nodeForgotten", notice);
}

/**
 * Writes a notice about a node within the caller's transaction, in place of one of the `replaced` kinds that still waits. Call
 * `announceNotice` after the commit.
 */
async function writeNodeNotice(
  tx: Db,
  kind: NodeNoticeKind,
  { asn, node, at }: NodeNotice,
  replaced: readonly NodeNoticeKind[] = [kind],
): Promise<void> {
  await tx
    .deleteFrom("account_notices")
    .where("asn", "=", asn)
    .where("node", "=", node)
    .where("kind", "in", replaced)
    .execute();
  await tx
    .insertInto("account_notices")
    .values({ id: randomUUID(), asn, kind, at, address_prefix: null, browser: null, node, public_url: null })
    .execute();
}

export async function announceNotice(events: Pick<Events, "publish">, asn: string): Promise<void> {
  await events.publish("accountNotice", { asn });
}
