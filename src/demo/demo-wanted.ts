import { ConfigError } from "../system/config/config-error.ts";
import type { Environment } from "../server/config/environment.ts";

/**
 * Throws `ConfigError` where the demo would use a provider's database, because PEERDECK_CONFIG was forgotten.
 *
 * @param isDemoWanted whether the operator asked for the demo by name
 */
export function assertDemoWanted(
  { databaseUrl }: Pick<Environment, "databaseUrl">,
  isDemoWanted: boolean,
): void {
  if (databaseUrl === null || isDemoWanted) return;
  throw new ConfigError(
    "DATABASE_URL is set and PEERDECK_CONFIG is not, so the demo would use that database. Nothing was started. Set PEERDECK_CONFIG to the provider profile, or PEERDECK_DEMO to 1.",
  );
}
