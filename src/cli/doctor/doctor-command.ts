import { isMailAddress } from "#domain/mail-address.ts";
import { countOf } from "#domain/text/plural.ts";
import type { Environment } from "#server/config/environment.ts";
import { runProcess } from "#system/processes.ts";
import { toPrintableLine } from "#system/printable-text.ts";
import { invalidArguments, parseArguments } from "../command-line.ts";
import type { Machine } from "./doctor-context.ts";
import { runChecks } from "./run-checks.ts";
import type { Level } from "./sentences/sentence-row.ts";
import type { Finding } from "./sentences/sentences.ts";

const usage = `peerdeck doctor [--mail ADDRESS] [--json]
  Checks the installation: profile, data folder, database, ports, public URL and reverse proxy, registry, SSH signatures,
  mail, agents, clock and backups. Changes nothing. The server may be running; its public URL is checked only then.
  --mail  sends a test message to this address
  --json  prints the findings as JSON: codes with facts`;

export const thisMachine: Machine = {
  run: runProcess,
  serverUnit: "/usr/lib/systemd/system/peerdeck-server.service",
  backupTimer: "/usr/lib/systemd/system/peerdeck-backup.timer",
  backupFolder: "/var/backups/peerdeck",
};

/**
 * Runs the command `doctor` and returns its exit code: 1 if there is a problem. Throws `ConfigError` if the arguments are
 * invalid.
 */
export async function runDoctorCommand(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
  machine: Machine = thisMachine,
): Promise<number> {
  const { json, testRecipient } = readOptions(args);
  const findings = await runChecks({ environment, machine, testRecipient });
  const problems = countLevel(findings, "problem");
  if (json) {
    const listed = findings.map(({ code, level, facts }) => ({ code, level, facts }));
    print(JSON.stringify({ problems, warnings: countLevel(findings, "warning"), findings: listed }, null, 2));
  } else printFindings(findings, print);
  return problems === 0 ? 0 : 1;
}

const words: Readonly<Record<Level, string>> = { ok: "OK", warning: "Warning", problem: "Problem" };
const wordWidth = Math.max(...Object.values(words).map((word) => word.length));

/** Prints a line for each finding, and how many there are. */
export function printFindings(findings: readonly Finding[], print: (text: string) => void): void {
  for (const { level, sentence } of findings)
    print(toPrintableLine(`${words[level].padEnd(wordWidth)}  ${sentence}`));
  const problems = countOf(countLevel(findings, "problem"), "problem");
  print(`\n${problems}, ${countOf(countLevel(findings, "warning"), "warning")}.`);
}

function countLevel(findings: readonly Finding[], level: Level): number {
  return findings.filter((finding) => finding.level === level).length;
}

function readOptions(args: readonly string[]) {
  const { values } = parseArguments(
    args,
    { options: { mail: { type: "string" }, json: { type: "boolean" } } },
    usage,
  );
  const { mail: testRecipient = null, json = false } = values;
  if (testRecipient !== null && !isMailAddress(testRecipient))
    throw invalidArguments(`--mail: ${testRecipient} is not a mail address such as noc@example.net`, usage);
  return { json, testRecipient };
}
