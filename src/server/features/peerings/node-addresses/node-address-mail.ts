import { overviewPath } from "#contract/app/screen-paths.ts";
import { nodeHost } from "#contract/node-host.ts";
import { formatEndpoint } from "#domain/port.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Db } from "#server/db/open.ts";
import type { Mail } from "#server/mail/mail.ts";
import { findNode } from "#server/nodes/node-rows.ts";
import { findDesired } from "../desired-peerings.ts";

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
  {
    name,
    publicUrl,
    domain,
    supportAddress,
  }: Pick<Profile, "name" | "publicUrl" | "domain" | "supportAddress">,
  { asn, node, endpoint }: NewNodeAddress,
  to: string,
): Mail {
  const host = nodeHost(node, domain);
  return {
    to,
    subject: `New address of ${host} for AS${asn} at ${name}`,
    text: `Hello,

the address of ${host} has changed. Replace it in your configuration. This is
the new line of its [Peer] section:

Endpoint = ${endpoint}

Nothing else has changed. The configuration for other router systems is on the
page of the peering, under Edit Peering:

${publicUrl}${overviewPath(node, "edit")}

You received this because the registry lists this address for AS${asn}.

Questions? Write to ${supportAddress}.

${name}
`,
  };
}
