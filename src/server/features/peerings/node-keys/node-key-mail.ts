import { nodeHost } from "#contract/node-host.ts";
import { overviewPath } from "#contract/app/screen-paths.ts";
import type { Mail } from "#server/mail/mail.ts";
import { type MailingProvider, renderNodeMail } from "../node-mail.ts";

export interface NewNodeKey {
  readonly asn: string;
  readonly node: string;
  readonly publicKey: string;
}

/** Writes the mail that notifies a participant of a node's new public key. */
export function renderNodeKeyMail(
  provider: MailingProvider,
  { asn, node, publicKey }: NewNodeKey,
  to: string,
): Mail {
  const host = nodeHost(node, provider.domain);
  return renderNodeMail(provider, {
    asn,
    to,
    subject: `New public key of ${host} for AS${asn} at ${provider.name}`,
    body: `the WireGuard key of ${host} has changed. Your tunnel to it stays
down until you replace the node's public key in your configuration. This is the
new line of its [Peer] section:

PublicKey = ${publicKey}

Nothing else has changed. The configuration for other router systems is on the
page of the peering, under Edit Peering:

${provider.publicUrl}${overviewPath(node, "edit")}`,
  });
}
