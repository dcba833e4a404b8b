import { noOrigin } from "./audit/audit-event.ts";
import { recordEvent } from "./audit/record-event.ts";
import { describeDatabase, openCommandDatabase, parseArguments } from "./command-line.ts";
import type { Environment } from "./config/environment.ts";
import { confirmTime, readServerTime, toleranceMs } from "./db/server-clock.ts";

const usage = `npm run confirm-clock -- [--apply]
  Compares the clock of this host with the time that the server last knew. The server may be running.
  --apply  lets the server follow the clock of this host`;

/** Runs the command `confirm-clock` and returns its exit code. Throws `ConfigError` if the arguments are invalid. */
export async function runConfirmClockCommand(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const { values } = parseArguments(args, { options: { apply: { type: "boolean" } } }, usage);
  await using database = await openCommandDatabase(environment, print);
  const time = Date.now();
  const known = await readServerTime(database.db);
  print(`Database: ${describeDatabase(environment)}`);
  print(`The clock of this host: ${new Date(time).toISOString()}`);
  print(`Last known to the server: ${known === null ? "none" : new Date(known).toISOString()}`);
  if (known === null || Math.abs(time - known) <= toleranceMs) {
    print("They agree. Nothing has to be done.");
    return 0;
  }
  if (values.apply !== true) {
    print("\nNothing was changed. If the clock of this host is right, run the command again with --apply.");
    return 0;
  }
  await database.db.transaction().execute(async (tx) => {
    await confirmTime(tx, time);
    const detail = `The server last knew ${new Date(known).toISOString()}.`;
    await recordEvent(tx, { kind: "clock-confirmed", asn: null, detail }, noOrigin, time);
  });
  print("\nConfirmed. A running server follows within a minute.");
  return 0;
}
