import { nodeHost } from "#contract/node-host.ts";
import { overviewPath } from "#contract/app/screen-paths.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Mail } from "#server/mail/mail.ts";

export interface NewNodeKey {
  readonly asn: string;
  readonly node: string;
  readonly publicKey: string;
}

/** Writes the mail that notifies a participant of a node's new public key. */
export function renderNodeKeyMail(
  {
    name,
    publicUrl,
    domain,
    supportAddress,
  }: Pick<Profile, "name" | "publicUrl" | "domain" | "supportAddress">,
  { asn, node, publicKey }: NewNodeKey,
  to: string,
): Mail {
  const host = nodeHost(node, domain);
  return {
    to,
    subject: `New public key of ${host} for AS${asn} at ${name}`,
    text: `Hello,

the WireGuard key of ${host} has changed. Your tunnel to it stays
down until you replace the node's public key in your configuration. This is the
new line of its [Peer] section:

PublicKey = ${publicKey}

Nothing else has changed. The configuration for other router systems is on the
page of the peering, under Edit Peering:

${publicUrl}${overviewPath(node, "edit")}

You received this because the registry lists this address for AS${asn}.

Questions? Write to ${supportAddress}.

${name}
`,
  };
}
