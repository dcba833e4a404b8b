/** Notifies a participant of what happens to the key of a node: by mail, and by push. */
import type { Db } from "#server/db/open.ts";
import { enqueueMessage } from "#server/push/messages.ts";

/** The notices by kind, with the push message that is sent with each. */
const pushTypes = {
  nodeRekey: "nodeRekey",
  nodeRekeyCancelled: "nodeRekeyCancelled",
  nodeKeyReturned: "nodeKeyReturned",
  nodeKeyChanged: "nodeKey",
} as const;

type KeyNoticeKind = keyof typeof pushTypes;

export const keyNotices = Object.keys(pushTypes) as readonly KeyNoticeKind[];

export interface KeyNotice {
  readonly notice: KeyNoticeKind;
  readonly asn: string;
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Writes the notice of which a mail is made, in the transaction. */
export type WriteNotice = (tx: Db, notice: KeyNotice) => Promise<void>;

/** Call `announceNotice` and `PushOutbox.signal` after the commit. */
export async function notifyOfKey(tx: Db, writeNotice: WriteNotice, notice: KeyNotice): Promise<void> {
  const { asn: username, node, at } = notice;
  await writeNotice(tx, notice);
  await enqueueMessage(tx, { type: pushTypes[notice.notice], username, node }, at);
}
