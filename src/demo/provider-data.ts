import { existsSync } from "node:fs";
import { join } from "node:path";
import { readInstallationKind } from "../server/db/postgres/installation-kind.ts";
import { ConfigError } from "../system/config/config-error.ts";
import type { Environment } from "../server/config/environment.ts";

/**
 * Throws `ConfigError` where the demo would change a provider's data, because PEERDECK_CONFIG was forgotten.
 *
 * @param isDemoWanted whether the operator asked for the demo by name
 */
export async function assertNoProviderData(
  { dataDir, databaseUrl }: Pick<Environment, "dataDir" | "databaseUrl">,
  isDemoWanted: boolean,
): Promise<void> {
  // The demo has no identity, because its agents run in the same process.
  if (existsSync(join(dataDir, "identity"))) {
    throw new ConfigError(
      `The folder ${dataDir} contains a provider's data, which the demo would change. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or DATA_DIR to another folder.`,
    );
  }
  if (databaseUrl !== null && !isDemoWanted) {
    throw new ConfigError(
      "DATABASE_URL is set and PEERDECK_CONFIG is not, so the demo would use that database. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or PEERDECK_DEMO to 1.",
    );
  }
  if (databaseUrl !== null && (await readInstallationKind(databaseUrl)) === "provider") {
    throw new ConfigError(
      "The database in DATABASE_URL contains a provider's data, which the demo would change. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or DATABASE_URL to an empty database.",
    );
  }
}
