/** Notices: changes of an account that a mail reports to its holder. They are written together with the change. */
import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { describeBrowser } from "../../../../domain/browser-name.ts";
import type { RequestOrigin } from "../../../api/handlers.ts";
import { toAddressPrefix } from "../../../audit/address-prefix.ts";
import type { Events } from "../../../db/events.ts";
import type { Db } from "../../../db/open.ts";
import type { Schema } from "../../../db/schema.ts";

export type NoticeRow = Selectable<Schema["account_notices"]>;

export interface Notice {
  readonly asn: string;
  readonly kind: NoticeRow["kind"];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Writes a notice within the caller's transaction. Call `announceNotice` after the commit. */
export async function writeNotice(
  tx: Db,
  { asn, kind, at }: Notice,
  { clientAddress, userAgent }: RequestOrigin,
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
    })
    .execute();
}

export async function announceNotice(events: Pick<Events, "publish">, asn: string): Promise<void> {
  await events.publish("accountNotice", { asn });
}
