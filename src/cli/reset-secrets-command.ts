import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import { describeDatabase, openCommandDatabase, parseArguments } from "./command-line.ts";
import type { Environment } from "#server/config/environment.ts";
import { deleteLostSecrets, findLostSecrets } from "#server/db/secrets/stored-secrets.ts";
import { lockFolder } from "#server/db/sqlite/folder-lock.ts";
import { countOf } from "#domain/text/plural.ts";

const usage = `peerdeck reset-secrets [--apply]
  Shows which secrets in the database the server's keys do not open. The server must not be running.
  --apply  deletes them, so that the server starts and creates new ones`;

/**
 * Runs the command `reset-secrets`, for an operator who has lost the key, and returns its exit code. Throws `ConfigError`
 * if the arguments are invalid, `SecretKeyError` if a key is, and `FolderInUseError` if a server runs on SQLite.
 */
export async function runResetSecretsCommand(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const { values } = parseArguments(args, { options: { apply: { type: "boolean" } } }, usage);
  const { dataDir, databaseUrl: url, secret } = environment;
  using _lock = url === null ? await lockFolder(dataDir) : null;
  await using database = await openCommandDatabase(environment, print);
  const options = { db: database.db, dataDir, secret };
  print(`Database: ${describeDatabase(environment)}`);
  const { pushKeys, subscriptions, knownClients, mails, joins, presharedKeys } =
    await findLostSecrets(options);
  const lost = [
    ...(pushKeys
      ? [
          `the keys of push messages and ${countOf(subscriptions, "subscription that was", "subscriptions that were")} made for them`,
        ]
      : []),
    ...(knownClients ? ["the key that recognizes browsers which have logged in before"] : []),
    ...(presharedKeys > 0
      ? [
          `${presharedKeys === 1 ? "the pre-shared key of 1 peering, which its node still has" : `the pre-shared keys of ${presharedKeys} peerings, which their nodes still have`}: participants enter them again`,
        ]
      : []),
    ...(mails > 0 ? [countOf(mails, "mail that was not sent yet", "mails that were not sent yet")] : []),
    ...(joins > 0 ? [`${countOf(joins, "join line")}: run peerdeck nodes add again`] : []),
  ];
  if (lost.length === 0) {
    print("The server's keys open all secrets in the database. Nothing has to be done.");
    return 0;
  }
  print("The server's keys do not open:");
  for (const one of lost) print(`  ${one}`);
  print("Accounts, login sessions and peerings are not affected.");
  if (values.apply !== true) {
    print("\nNothing was changed. To delete these secrets, run the command again with --apply.");
    return 0;
  }
  const detail = `Deleted: ${lost.join("; ")}.`;
  await deleteLostSecrets(options, (tx) =>
    recordEvent(tx, { kind: "secrets-reset", asn: null, detail }, noOrigin, Date.now()),
  );
  print("\nDeleted. The server creates new keys when it starts.");
  return 0;
}
