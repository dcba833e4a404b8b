/** Asks for the keys that a draft lacks. An answer that the profile cannot have is asked for again. */
import type { TomlPath } from "#system/config/toml-lines.ts";
import { type Draft, findProblemAt, readValue, setValue } from "./draft.ts";
import { isLastNodeLine, isNodeLine, parseNode } from "./node-lines.ts";
import { nodeQuestions, type Question, questions } from "./questions.ts";
import type { Terminal } from "./terminal.ts";

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
    if (question.isAsked?.(draft) ?? true) await completeAnswer(interview, question, question.path);
  }
  for (let index = 0; index === 0 || (await shouldContinue(interview, index)); index += 1)
    await askForNode(interview, index);
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

async function shouldContinue({ terminal, draft }: Interview, index: number): Promise<boolean> {
  return readValue(draft, ["nodes", index]) !== undefined || confirm(terminal, "Another node?", false);
}

/** Asks for a value unless the draft has a valid one. */
async function completeAnswer(interview: Interview, question: Question, path: TomlPath): Promise<void> {
  const { draft, profilePath, print } = interview;
  if (readValue(draft, path) !== undefined) {
    const problem = await findProblemAt(draft, path, profilePath);
    if (!problem) return;
    print(problem.message);
    setValue(draft, path, undefined);
  }
  print(`\n${question.comment}.`);
  while (!(await readAnswer(interview, question, path)));
}

/** Returns whether the draft now has a valid value, or needs none. */
async function readAnswer(interview: Interview, question: Question, path: TomlPath): Promise<boolean> {
  const { terminal, draft, profilePath, print } = interview;
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

async function askForNode(interview: Interview, index: number): Promise<void> {
  const { draft, terminal, print } = interview;
  const isPasted = readValue(draft, ["nodes", index]) !== undefined || (await readPastedNode());
  for (const question of nodeQuestions) {
    // What peerdeck-agent setup leaves out is not needed.
    if (isPasted && question.initial && readValue(draft, ["nodes", index, ...question.path]) === undefined)
      continue;
    await completeAnswer(interview, question, ["nodes", index, ...question.path]);
  }

  /** Returns false if a name was typed. */
  async function readPastedNode(): Promise<boolean> {
    print(`\nNode ${index + 1}: paste the lines that peerdeck-agent setup printed there, or type its name.`);
    let line = await terminal.read("Node: ");
    while (line.trim() === "") line = await terminal.read("Node: ");
    if (!isNodeLine(line)) {
      setValue(draft, ["nodes", index], { name: line.trim() });
      return false;
    }
    const lines = [line];
    while (!isLastNodeLine(lines.at(-1) ?? "") && lines.slice(-2).join("").trim() !== "")
      lines.push(await terminal.read(""));
    setValue(draft, ["nodes", index], parseNode(lines.join("\n")).node);
    return true;
  }
}
