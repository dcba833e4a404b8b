/**
 * The load of a campaign: participants that deploy, edit, delete, log in, log out and write to support at the same time,
 * and that remember what the server has confirmed.
 *
 * Invariants:
 * - A participant has at most one change of a peering that is not settled.
 * - Every change is recognisable: an endpoint port or a text is never used twice.
 */
import { createLoginWork } from "./logins.ts";
import { createMailWork } from "./mails.ts";
import { createPeeringWork } from "./peerings.ts";
import type { Work, WorkOptions } from "./work.ts";

/** Returns the work of a participant on these nodes. It logs in first. */
export async function createParticipantWork(
  options: WorkOptions,
  nodes: readonly string[],
): Promise<readonly Work[]> {
  const logins = await createLoginWork(options);
  const key = options.random.key();
  return [
    logins.work,
    createMailWork(options, logins.call),
    ...nodes.map((node) =>
      createPeeringWork({ ...options, random: options.random.fork(node) }, { node, key, call: logins.call }),
    ),
  ];
}
