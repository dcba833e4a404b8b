/** Asks for the keys that a draft lacks. An answer that the profile cannot have is asked for again. */
import { type Draft, findProblemAt, readValue, setValue } from "./draft.ts";
import { type Question, questions } from "./questions.ts";
import type { Terminal } from "#system/terminal.ts";

export interface Interview {
  readonly terminal: Terminal;
  readonly print: (text: string) => void;
  /** Receives the answers. */
  readonly draft: Draft;
  readonly profilePath: string;
}

/** Rejects with `InterruptedError` when the operator stops; the draft has the answers until then. */
export async function askQuestions(interview: Interview): Promise<void> {
  const { draft } = interview;
  for (const question of questions) {
    if (question.isAsked?.(draft) ?? true) await completeAnswer(interview, question);
  }
}

export async function confirm(
  terminal: Terminal,
  question: string,
  isYesByDefault: boolean,
): Promise<boolean> {
  for (;;) {
    const typed = (await terminal.read(`${question} [${isYesByDefault ? "Y/n" : "y/N"}] `))
      .trim()
      .toLowerCase();
    if (typed === "") return isYesByDefault;
    if (["y", "yes"].includes(typed)) return true;
    if (["n", "no"].includes(typed)) return false;
  }
}

/** Asks for a value unless the draft has a valid one. */
async function completeAnswer(interview: Interview, question: Question): Promise<void> {
  const { draft, profilePath, print } = interview;
  const { path } = question;
  if (readValue(draft, path) !== undefined) {
    const problem = await findProblemAt(draft, path, profilePath);
    if (!problem) return;
    print(problem.message);
    setValue(draft, path, undefined);
  }
  print(`\n${question.comment}.`);
  while (!(await readAnswer(interview, question)));
}

/** Returns whether the draft now has a valid value, or needs none. */
async function readAnswer(interview: Interview, question: Question): Promise<boolean> {
  const { terminal, draft, profilePath, print } = interview;
  const { path } = question;
  const initial = question.initial?.(draft) ?? null;
  const hint = initial === null ? "" : ` [${initial === "" ? "none" : initial}]`;
  const typed = (await terminal.read(`${question.label}${hint}: `)).trim();
  const answer = typed === "" ? initial : typed;
  if (answer === "") return true;
  // A paste may end with a blank line.
  if (answer === null) return false;
  setValue(draft, path, question.parse(answer));
  const problem = await findProblemAt(draft, path, profilePath);
  if (!problem) return true;
  setValue(draft, path, undefined);
  print(problem.message);
  return false;
}
