import { nodeHost } from "#contract/node-host.ts";
import { ConfigError } from "#system/config/config-error.ts";
import {
  describeDatabase,
  invalidArguments,
  openCommandDatabase,
  parseArguments,
  readReason,
} from "./command-line.ts";
import type { Environment } from "#server/config/environment.ts";
import { hasNode } from "#server/config/profile.ts";
import { readProfile } from "#server/config/profile-file.ts";
import { assertInstallationKind } from "#server/db/installation-kind.ts";
import type { Database } from "#server/db/open.ts";
import { findRunning } from "#server/features/accounts/deletion/deletion-store.ts";
import { announceNotice, writeForgottenNodeNotice } from "#server/features/accounts/notices/notice-store.ts";
import { findDesiredOnNode } from "#server/features/peerings/desired-peerings.ts";
import { describePeering } from "#server/features/peerings/recovery/describe-plan.ts";
import { findRemovedNodes } from "#server/features/peerings/removed-nodes/find-removed-nodes.ts";
import { forgetNode, NodeDeployingError } from "#server/features/peerings/removed-nodes/forget-node.ts";
import { countOf } from "#domain/text/plural.ts";

const usage = `peerdeck forget-node --node de01 [--reason TEXT] [--apply]
  Removes the peerings of a node from the database that is not in the provider profile any more. Restart the server with
  this profile first. Nothing changes on the node.
  --apply   without it, the peerings are only listed
  --reason  the participants read it in Activity

  To keep the peerings, put the node back into the profile instead.`;

type Print = (text: string) => void;

/**
 * Runs the command `forget-node` and returns its exit code: 1 if the database has nothing of the node, or a deployment has
 * not finished. It can run while the server runs. Throws `ConfigError` if the arguments or the settings are invalid.
 */
export async function runForgetNodeCommand(
  args: readonly string[],
  environment: Environment,
  print: Print,
): Promise<number> {
  const text = { type: "string" } as const;
  const options = { apply: { type: "boolean" }, node: text, reason: text } as const;
  const { values } = parseArguments(args, { options }, usage);
  const { node, apply = false } = values;
  if (node === undefined) throw invalidArguments("--node is needed", usage);
  const reason = readReason(values.reason, usage);
  const { configPath } = environment;
  if (configPath === null) throw new ConfigError("PEERDECK_CONFIG does not name a provider profile.");
  const profile = await readProfile(configPath);
  if (hasNode(profile, node)) {
    throw new ConfigError(
      `--node: ${configPath} has the node ${node}. Nothing was changed. To forget it, remove it from the profile and ` +
        "restart the server first.",
    );
  }
  await assertInstallationKind(environment, "provider");
  await using database = await openCommandDatabase(environment, print);
  print(`Database: ${describeDatabase(environment)}`);
  const removed = (await findRemovedNodes(database.db, profile)).find((each) => each.node === node);
  if (!removed) {
    print(`The database has no peering and no conflict of a node ${node}.`);
    return 1;
  }
  const host = nodeHost(node, profile.domain);
  print(host);
  for (const { peering } of await findDesiredOnNode(database.db, node))
    print(`  forget  ${describePeering(peering)}`);
  if (removed.conflicts > 0) print(`  forget  the conflicts of ${countOf(removed.conflicts, "peering")}`);
  if (reason !== null) print(`  reason  ${reason}`);
  print(
    `\nTunnels and sessions on ${host} keep running until its agent is purged with its peerings. If the node returns to ` +
      "the profile after this, its peerings are conflicts: see peerdeck recover --help",
  );
  if (!apply) {
    print(
      "\nNothing was changed. To remove these peerings from the database, run the command again with --apply.",
    );
    return 0;
  }
  return (await forget(database, { node, reason, print })) ? 0 : 1;
}

interface Forgetting {
  readonly node: string;
  readonly reason: string | null;
  readonly print: Print;
}

async function forget({ db, events }: Database, { node, reason, print }: Forgetting): Promise<boolean> {
  try {
    const deps = { db, clock: Date.now, writeNotice: writeForgottenNodeNotice };
    const forgotten = await forgetNode(deps, node, reason);
    const [first] = forgotten;
    if (first) await announceNotice(events, first.asn);
    // Their last peerings may have been on this node.
    for (const { asn } of await findRunning(db)) await events.publish("accountDeletion", { asn });
    print("\nRemoved from the database. The participants are notified.");
    return true;
  } catch (error) {
    if (!(error instanceof NodeDeployingError)) throw error;
    const asns = error.asns.map((asn) => `AS${asn}`).join(", ");
    print(
      `\nNothing was changed: a deployment of ${asns} has not finished. While the server runs, it ends within two minutes. ` +
        "Then run the command again.",
    );
    return false;
  }
}
