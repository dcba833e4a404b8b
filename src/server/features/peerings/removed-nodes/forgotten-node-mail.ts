import { nodeHost } from "#contract/node-host.ts";
import type { Mail } from "#server/mail/mail.ts";
import { type MailingProvider, renderNodeMail } from "../node-mail.ts";

/** Writes the mail that notifies a participant that the operator has forgotten a node with its peering. */
export function renderForgottenNodeMail(
  provider: MailingProvider,
  { asn, node }: { readonly asn: string; readonly node: string },
  to: string,
): Mail {
  const host = nodeHost(node, provider.domain);
  return renderNodeMail(provider, {
    asn,
    to,
    subject: `Peering on ${host} for AS${asn} at ${provider.name} removed`,
    body: `the provider has taken ${host} out of service and removed your
peering on it. You can remove the tunnel and the session from your router.

Activity lists the reason, if the provider gave one:

${provider.publicUrl}/manager/activity

To peer with another node:

${provider.publicUrl}/manager`,
  });
}
