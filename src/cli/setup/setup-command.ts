/**
 * `peerdeck setup`: asks for the least provider profile, writes it, and checks the installation.
 *
 * Invariant: an existing profile is never changed, and a new one appears complete.
 */
import { existsSync } from "node:fs";
import { parseProfile } from "#server/config/profile-file.ts";
import type { Environment } from "#server/config/environment.ts";
import { openServerIdentity } from "#server/provider-server.ts";
import { describeOperatorError } from "#server/start-error.ts";
import { ConfigError } from "#system/config/config-error.ts";
import { runAsOwner } from "#system/run-as-owner.ts";
import { printFindings, runDoctorCommand, thisMachine } from "../doctor/doctor-command.ts";
import type { Machine } from "../doctor/doctor-context.ts";
import { runChecks } from "../doctor/run-checks.ts";
import { askQuestions, confirm } from "./ask-questions.ts";
import { type Draft, readValue, setValue } from "./draft.ts";
import { discardDraft, draftPath, readDraft, saveDraft } from "./draft-file.ts";
import { questions } from "./questions.ts";
import { renderProfile } from "./render-profile.ts";
import { completeFromDefaults, readSetupOptions, type SetupOptions } from "./setup-options.ts";
import { InterruptedError, openTerminal, type Terminal } from "#system/terminal.ts";
import { createProfile, prepareFolder } from "./write-profile.ts";

type Print = (text: string) => void;

/** What tests replace. */
export interface SetupSurroundings {
  /** Returns null if there is no terminal. */
  readonly openTerminal: () => Terminal | null;
  readonly machine: Machine;
}

/**
 * Runs the command `setup` and returns its exit code: 0 if the profile was written, or an existing one was checked and
 * has no problem. Throws `ConfigError` if nothing was done.
 */
export async function runSetupCommand(
  args: readonly string[],
  environment: Environment,
  print: Print,
  surroundings: SetupSurroundings = { openTerminal, machine: thisMachine },
): Promise<number> {
  const options = await readSetupOptions(args, environment.configPath ?? "provider.toml");
  const settings = { ...environment, configPath: options.path };
  const { machine } = surroundings;
  const outcome = await writeProfile(options, surroundings, print);
  if (outcome === "existing") return await runDoctorCommand([], settings, print, machine);
  if (outcome === "stopped") return 1;
  await createIdentity(settings, print);
  const findings = await runChecks({ environment: settings, machine, testRecipient: null });
  printFindings(findings, print);
  const hasProblem = findings.some(({ level }) => level === "problem");
  print(describeNextSteps(settings, machine, hasProblem));
  return 0;
}

type Outcome = "written" | "existing" | "stopped";

/** Returns `existing` if the operator wants to have an existing profile checked. */
async function writeProfile(
  options: SetupOptions,
  surroundings: SetupSurroundings,
  print: Print,
): Promise<Outcome> {
  const { path, isConfirmed } = options;
  // Closed before the checks, which Ctrl-C then ends.
  using terminal = isConfirmed ? null : surroundings.openTerminal();
  if (existsSync(path)) return await offerCheck(path, terminal, print);
  await prepareFolder(path);
  if (terminal === null) {
    completeFromDefaults(options);
    await write(path, options.draft, print);
    return "written";
  }
  return await interview({ ...options, terminal, print });
}

async function offerCheck(path: string, terminal: Terminal | null, print: Print): Promise<Outcome> {
  const kept = `${path} exists, and setup does not change it.`;
  if (terminal === null) throw new ConfigError(`${kept} To check the installation, run: peerdeck doctor`);
  print(kept);
  try {
    return (await confirm(terminal, "Check the installation?", true)) ? "existing" : "stopped";
  } catch (error) {
    if (error instanceof InterruptedError) return "stopped";
    throw error;
  }
}

async function interview({
  path,
  draft: given,
  terminal,
  print,
}: SetupOptions & { readonly terminal: Terminal; readonly print: Print }): Promise<Outcome> {
  let draft: Draft | null = null;
  try {
    draft = await chooseDraft(path, given, terminal);
    await askQuestions({ terminal, print, draft, profilePath: path });
    print("");
    if (!(await confirm(terminal, `Write ${path}?`, true))) throw new InterruptedError();
    await write(path, draft, print);
    return "written";
  } catch (error) {
    if (draft) await keepAnswers(path, draft, print);
    if (!(error instanceof InterruptedError)) throw error;
    print(`${path} was not written.`);
    return "stopped";
  }
}

/** Returns the answers in the options, with those of an interrupted setup if the operator wants them. */
async function chooseDraft(path: string, given: Draft, terminal: Terminal): Promise<Draft> {
  const stored = await readDraft(path);
  const question = `Continue with the answers in ${draftPath(path)}?`;
  if (stored === null || !(await confirm(terminal, question, true))) return given;
  for (const { path: key } of questions) {
    const value = readValue(given, key);
    if (value !== undefined) setValue(stored, key, value);
  }
  return stored;
}

async function keepAnswers(path: string, draft: Draft, print: Print): Promise<void> {
  const isSaved = await saveDraft(path, draft).then(
    () => true,
    () => false,
  );
  print(
    isSaved
      ? `\nYour answers are in ${draftPath(path)}. The next peerdeck setup continues with them.`
      : "\nYour answers could not be kept.",
  );
}

async function write(path: string, draft: Draft, print: Print): Promise<void> {
  const text = renderProfile(draft);
  parseProfile(text, path);
  await createProfile(path, text);
  await discardDraft(path);
  print(`Wrote ${path}.\n`);
}

/** Creates the identity that the agents pin, so that they can be paired before the server's first start. */
async function createIdentity(environment: Environment, print: Print): Promise<void> {
  const { dataDir } = environment;
  // A folder that root creates would be closed to the server's user.
  if (process.geteuid?.() === 0 && !existsSync(dataDir)) return;
  try {
    const open = () => openServerIdentity(dataDir);
    await (existsSync(dataDir) ? runAsOwner(dataDir, open) : open());
  } catch (error) {
    const sentence = describeOperatorError(error, environment);
    if (sentence === null) throw error;
    print(sentence);
  }
}

function describeNextSteps(
  { configPath, dataDir }: Environment,
  { serverUnit }: Machine,
  hasProblem: boolean,
): string {
  const start = existsSync(serverUnit)
    ? "systemctl start peerdeck-server"
    : `PEERDECK_CONFIG=${configPath ?? ""} DATA_DIR=${dataDir} peerdeck server`;
  const steps = [
    ...(hasProblem ? ["Correct the problems above."] : []),
    `Start the server: ${start}`,
    "Set up the reverse proxy that the public URL leads to.",
    "Check the installation: peerdeck doctor --mail YOUR-ADDRESS",
    'Add the first node: peerdeck nodes add de01 --place "Frankfurt, Germany"',
  ];
  return ["\nNext:", ...steps.map((step, index) => `  ${index + 1}. ${step}`)].join("\n");
}
