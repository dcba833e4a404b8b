import { overviewPath } from "#contract/app/screen-paths.ts";
import { nodeHost } from "#contract/node-host.ts";
import { formatEndpoint } from "#domain/port.ts";
import type { Db } from "#server/db/open.ts";
import type { Mail } from "#server/mail/mail.ts";
import { findNode } from "#server/nodes/node-rows.ts";
import { findDesired } from "../desired-peerings.ts";
import { type MailingProvider, renderNodeMail } from "../node-mail.ts";

/** Returns the endpoint that the participant's router connects to, as the database has it now; null without the peering. */
export async function findOwnEndpoint(db: Db, asn: string, node: string): Promise<string | null> {
  const [found, desired] = [await findNode(db, node), await findDesired(db, asn, node)];
  if (found === null || desired?.present !== true) return null;
  return formatEndpoint(found.publicIp, desired.peering.listenPort);
}

interface NewNodeAddress {
  readonly asn: string;
  readonly node: string;
  /** `host:port` */
  readonly endpoint: string;
}

/** Writes the mail that notifies a participant of a node's new address. */
export function renderNodeAddressMail(
  provider: MailingProvider,
  { asn, node, endpoint }: NewNodeAddress,
  to: string,
): Mail {
  const host = nodeHost(node, provider.domain);
  return renderNodeMail(provider, {
    asn,
    to,
    subject: `New address of ${host} for AS${asn} at ${provider.name}`,
    body: `the address of ${host} has changed. Replace it in your configuration. This is
the new line of its [Peer] section:

Endpoint = ${endpoint}

Nothing else has changed. The configuration for other router systems is on the
page of the peering, under Edit Peering:

${provider.publicUrl}${overviewPath(node, "edit")}`,
  });
}
