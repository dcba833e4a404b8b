/** The mails about a new key of a node: it is announced, it is cancelled, or a tunnel went back to the old one. */
import { nodeHost } from "#contract/node-host.ts";
import { overviewPath } from "#contract/app/screen-paths.ts";
import { formatTime } from "#domain/text/time.ts";
import { readFirstNodeKeys } from "#server/agents/node-facts.ts";
import type { Db } from "#server/db/open.ts";
import type { Mail } from "#server/mail/mail.ts";
import { findDesired } from "../desired-peerings.ts";
import { type AnnouncedKey, findAnnouncedKeys } from "./rekey-rows.ts";
import type { KeyNotice } from "./notify-of-key.ts";
import { type MailingProvider, renderNodeMail } from "../node-mail.ts";

interface MailSubject {
  readonly kind: Exclude<KeyNotice["notice"], "nodeKeyChanged">;
  readonly asn: string;
  readonly node: string;
}

export interface RekeyMail extends MailSubject {
  /** The key that the tunnel has. */
  readonly publicKey: string;
  readonly announced: AnnouncedKey | null;
}

/** Reads what the mail says, as it is now. Null if the participant needs the mail no longer. */
export async function readRekeyMail(tx: Db, subject: MailSubject): Promise<RekeyMail | null> {
  const { kind, asn, node } = subject;
  const desired = await findDesired(tx, asn, node);
  const publicKey = desired?.peering.nodeKey ?? (await readFirstNodeKeys(tx, [node])).get(node);
  if (desired?.present !== true || publicKey === undefined) return null;
  const announced = (await findAnnouncedKeys(tx, [asn])).get(asn)?.get(node) ?? null;
  // The tunnel was switched meanwhile, or the announcement came after the cancellation.
  if ((kind === "nodeRekeyCancelled") !== (announced === null)) return null;
  return { ...subject, publicKey, announced };
}

type Texts = Readonly<
  Record<MailSubject["kind"], { readonly subject: string; readonly what: string; readonly advice: string }>
>;

const texts: Texts = {
  nodeRekey: {
    subject: "New public key",
    what: `{host} gets a new WireGuard key. Your tunnel to it keeps the
present one until you switch it, or until {date}.
This is the new line of the node's [Peer] section:

PublicKey = {new}`,
    advice: `Set it in your configuration, and press Switch on the page of the peering at
the same time. Only this tunnel changes. If no handshake comes within five
minutes, it goes back to the present key:`,
  },
  nodeKeyReturned: {
    subject: "Old public key again",
    what: `no handshake with the new WireGuard key of {host} came within five
minutes. Your tunnel to it has the previous key again:

PublicKey = {present}

This is the new one:

PublicKey = {new}`,
    advice: `Set the new one in your configuration, and press Switch again. On {date}
the tunnel gets it in any case:`,
  },
  nodeRekeyCancelled: {
    subject: "No new public key",
    what: `the provider has cancelled the new WireGuard key of {host}. The
present one stays:

PublicKey = {present}`,
    advice: "The configuration of your router is on the page of the peering:",
  },
};

export function renderRekeyMail(
  provider: MailingProvider,
  { kind, asn, node, publicKey, announced }: RekeyMail,
  to: string,
): Mail {
  const host = nodeHost(node, provider.domain);
  const { subject, what, advice } = texts[kind];
  const values = {
    host,
    present: publicKey,
    new: announced?.publicKey ?? "",
    date: announced === null ? "" : formatTime(announced.switchAt),
  };
  const fill = (text: string) =>
    text.replaceAll(/\{(host|present|new|date)\}/g, (_, key: keyof typeof values) => values[key]);
  return renderNodeMail(provider, {
    asn,
    to,
    subject: `${subject} of ${host} for AS${asn} at ${provider.name}`,
    body: `${fill(what)}

${fill(advice)}

${provider.publicUrl}${overviewPath(node, "edit")}`,
  });
}
