import { assertInstallationKind } from "#server/db/installation-kind.ts";
import { inspectDatabase, type InspectedDatabase } from "#server/db/storage/inspect-database.ts";
import { readTakenOverNodes } from "#server/nodes/take-over-nodes.ts";
import type { Environment } from "#server/config/environment.ts";
import { describeOperatorError } from "#server/start-error.ts";
import { finding, type Finding } from "../sentences/sentences.ts";
import { callLimitMs, type CheckedDatabase } from "../doctor-context.ts";

/** Reads the database, as other checks need it, without migrating it. */
export async function checkDatabase(environment: Environment): Promise<CheckedDatabase> {
  try {
    const found = await inspectDatabase(environment, callLimitMs, readTakenOverNodes);
    if (found) await assertInstallationKind(environment, "provider");
    return { findings: [describe(found)], identity: found?.identity ?? null, nodes: found?.content ?? null };
  } catch (error) {
    const text = describeOperatorError(error, environment);
    if (text === null) throw error;
    return { findings: [finding("database-problem", { text })], identity: null, nodes: null };
  }
}

function describe(found: InspectedDatabase<unknown> | null): Finding {
  if (!found) return finding("database-new");
  const { engine, version, pending } = found;
  if (version === null) return finding("database-new");
  return pending === 0
    ? finding("database-ok", { engine, version })
    : finding("database-pending", { engine, pending });
}
