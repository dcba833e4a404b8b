/** Notices: changes that a mail reports to the holder of an account. They are written together with the change. */
import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { describeBrowser } from "#domain/browser-name.ts";
import type { RequestOrigin } from "#server/api/handlers.ts";
import { toAddressPrefix } from "#domain/client-key.ts";
import type { Events } from "#server/db/events.ts";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema/schema.ts";
import type { NodeKeyNotice } from "../../peerings/node-keys/follow-node-key.ts";
import type { ForgottenPeering } from "../../peerings/removed-nodes/forget-node.ts";

export type NoticeRow = Selectable<Schema["account_notices"]>;

/** The kinds that report changes of the account itself. */
export type AccountNoticeKind = Exclude<NoticeRow["kind"], "nodeKeyChanged" | "nodeForgotten">;

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

/**
 * Writes a notice that a node has another public key, within the caller's transaction, in place of one that still waits.
 * Call `announceNotice` after the commit.
 */
export async function writeNodeKeyNotice(tx: Db, { asn, node, at }: NodeKeyNotice): Promise<void> {
  await tx
    .deleteFrom("account_notices")
    .where("asn", "=", asn)
    .where("node", "=", node)
    .where("kind", "=", "nodeKeyChanged")
    .execute();
  await writeNodeNotice(tx, "nodeKeyChanged", { asn, node, at });
}

/** Writes a notice that the operator has forgotten a node with its peerings, as above. */
export async function writeForgottenNodeNotice(tx: Db, notice: ForgottenPeering): Promise<void> {
  await writeNodeNotice(tx, "nodeForgotten", notice);
}

async function writeNodeNotice(
  tx: Db,
  kind: "nodeKeyChanged" | "nodeForgotten",
  { asn, node, at }: NodeKeyNotice | ForgottenPeering,
): Promise<void> {
  await tx
    .insertInto("account_notices")
    .values({ id: randomUUID(), asn, kind, at, address_prefix: null, browser: null, node, public_url: null })
    .execute();
}

export async function announceNotice(events: Pick<Events, "publish">, asn: string): Promise<void> {
  await events.publish("accountNotice", { asn });
}
