/** A sequence of the server campaign: rounds of load with a fault in each, and what must hold after every round. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Outcome } from "../campaign.ts";
import { createRandom, type Random } from "../random.ts";
import { recoveryMs } from "./answers.ts";
import { drawFault, type Fault, type Variant } from "./faults.ts";
import { checkDatabase, checkMails, checkNodes, missingMails, waitForMails } from "./final-checks.ts";
import { type Account, type Installation, openInstallation } from "./installation.ts";
import { createParticipantWork } from "./load.ts";
import { createRecord, type Record } from "./record.ts";
import type { Work } from "./work.ts";

export interface SequenceOptions {
  readonly seed: number;
  readonly variant: Variant;
  /** How many faults. */
  readonly rounds: number;
  /** The folder that keeps the logs of a failed sequence. */
  readonly logs: string;
  /** In place of the drawn faults. */
  readonly faults?: readonly Fault[];
}

const nodes = ["syd01", "per01"] as const;
const accounts: readonly Account[] = ["4242420001", "4242420002", "4242420003"].map((asn) => ({
  asn,
  password: `a sentence for the campaign of AS${asn}`,
}));
/** A deployment takes about half a second, so most faults meet several. */
const maxFaultDelayMs = 1_500;
/** How long the load goes on after a fault that the server survives. */
const afterFaultMs = 700;

export async function runSequence(options: SequenceOptions): Promise<Outcome> {
  const { seed, variant, rounds, logs, faults } = options;
  const random = createRandom(seed);
  const record = createRecord();
  await using installation = await openInstallation(variant, nodes, accounts);
  let failure: string | null = null;
  try {
    const work = (
      await Promise.all(
        accounts.map(({ asn, password }) =>
          createParticipantWork(
            { url: installation.url, asn, password, record, random: random.fork(asn) },
            nodes,
          ),
        ),
      )
    ).flat();
    for (let round = 0; round < rounds; round += 1) {
      const fault = faults?.[round] ?? drawFault(variant, random);
      await runRound({ installation, work, record, random }, fault);
    }
    await checkEnd(installation, record, rounds);
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    record.log("FAILED");
    await installation.keepLogs(logs);
    await writeFile(join(logs, "events.log"), `${record.events.join("\n")}\n\n${failure}\n`);
  }
  return { counts: Object.fromEntries(record.counts), failure, steps: record.events };
}

interface RoundParts {
  readonly installation: Installation;
  readonly work: readonly Work[];
  readonly record: Record;
  readonly random: Random;
}

async function runRound({ installation, work, record, random }: RoundParts, fault: Fault): Promise<void> {
  const ending = new AbortController();
  const running = Promise.all(work.map(({ run }) => run(ending.signal)));
  // A failure during the fault is reported after it.
  running.catch(() => undefined);
  await pause(random.integer(maxFaultDelayMs));
  // Every other fault meets a change that is being saved, which takes a few milliseconds.
  if (random.chance(0.5)) {
    await Promise.race([record.nextChange(), pause(maxFaultDelayMs)]);
    await pause(random.integer(12));
  }
  record.log(`fault: ${fault.name}`);
  record.count(fault.name);
  await fault.run(installation, random);
  if (!fault.endsServer) await pause(afterFaultMs);
  ending.abort();
  await running;
  if (fault.endsServer) await installation.startServer();
  record.log("settling");
  await Promise.all(work.map(({ settle }) => settle()));
}

async function checkEnd(installation: Installation, record: Record, faults: number): Promise<void> {
  const { mails, provider, databaseUrl } = installation;
  const dataDir = provider.serverDir;
  const deadline = performance.now() + recoveryMs;
  while (missingMails(record, mails).length > 0 && performance.now() < deadline) await pause(100);
  // A mail whose delivery met a fault is tried again after half a minute.
  await waitForMails(dataDir, databaseUrl, 2 * recoveryMs);
  const code = await installation.endServer("SIGTERM");
  if (code !== 0) throw new Error(`the server stopped with the exit code ${code}`);
  await checkDatabase(record, dataDir, databaseUrl);
  checkMails(record, mails, faults);
  await checkNodes(record, provider);
}
