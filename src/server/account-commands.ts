import { describeDatabase, parseArguments } from "./command-line.ts";
import type { Environment } from "./config/environment.ts";
import { openDatabase } from "./db/open.ts";
import { listFlaggedAccounts, releaseAccount } from "./features/accounts/account-holders.ts";

const usage = `npm run accounts -- [--release 4242420001]
  Lists the accounts whose AS has another holder in the registry than when the account was verified.
  --release  accepts the new holder, so that links are mailed again`;

/**
 * Runs the command `accounts` and returns its exit code: 1 if there is no such flagged account. It can run while the
 * server runs. Throws `ConfigError` if the arguments are invalid.
 */
export async function runAccountsCommand(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const released = readOptions(args);
  const { dataDir, databaseUrl: url } = environment;
  await using database = await openDatabase({ dataDir, url, onError: () => undefined });
  print(`Database: ${describeDatabase(environment)}`);
  if (released !== null) {
    const isReleased = await releaseAccount(database.db, released, Date.now());
    print(
      isReleased
        ? `AS${released} is released. Links for it are mailed again.`
        : `AS${released} has no flagged account. Nothing was changed.`,
    );
    return isReleased ? 0 : 1;
  }
  const flagged = await listFlaggedAccounts(database.db);
  if (flagged.length === 0) print("No account is flagged.");
  for (const { asn, flaggedAt, verifiedHolder, flaggedHolder } of flagged) {
    const day = new Date(flaggedAt).toISOString().slice(0, 10);
    print(`AS${asn}: since ${day}, maintainers ${verifiedHolder} → ${flaggedHolder}`);
  }
  return 0;
}

function readOptions(args: readonly string[]): string | null {
  const { values } = parseArguments(args, { options: { release: { type: "string" } } }, usage);
  return values.release?.replace(/^AS/i, "") ?? null;
}
