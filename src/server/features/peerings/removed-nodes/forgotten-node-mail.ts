import { nodeHost } from "#contract/node-host.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Mail } from "#server/mail/mail.ts";

/** Writes the mail that notifies a participant that the operator has forgotten a node with its peering. */
export function renderForgottenNodeMail(
  {
    name,
    publicUrl,
    domain,
    supportAddress,
  }: Pick<Profile, "name" | "publicUrl" | "domain" | "supportAddress">,
  { asn, node }: { readonly asn: string; readonly node: string },
  to: string,
): Mail {
  const host = nodeHost(node, domain);
  return {
    to,
    subject: `Peering on ${host} for AS${asn} at ${name} removed`,
    text: `Hello,

the provider has taken ${host} out of service and removed your
peering on it. You can remove the tunnel and the session from your router.

Activity lists the reason, if the provider gave one:

${publicUrl}/manager/activity

To peer with another node:

${publicUrl}/manager

You received this because the registry lists this address for AS${asn}.

Questions? Write to ${supportAddress}.

${name}
`,
  };
}
