/** Nodes as text: the lines that `peerdeck-agent setup` prints, or `name=de01; place=…` in one line. */
import { nodeQuestions } from "./questions.ts";
import { type Draft, setValue } from "./draft.ts";

const assignment = /^\s*([a-z_0-9]+)\s*=\s*(.*?)\s*$/;

/** Whether a line is a part of the table that `peerdeck-agent setup` prints. */
export function isNodeLine(line: string): boolean {
  return /^\s*\[\[nodes\]\]/.test(line) || assignment.test(line);
}

/** Whether a line is the last one of the table. */
export function isLastNodeLine(line: string): boolean {
  return assignment.exec(line)?.[1] === "fingerprint";
}

export interface ParsedNode {
  readonly node: Draft;
  /** Keys that no node has. */
  readonly unknown: readonly string[];
}

/**
 * Parses the lines of a node. Text around them is skipped, later values replace earlier ones, and the place and position
 * that are to be filled in are left out.
 */
export function parseNode(text: string): ParsedNode {
  const node: Draft = {};
  const unknown: string[] = [];
  for (const line of text.split(/[\n;]/)) {
    const [, key, value = ""] = assignment.exec(line) ?? [];
    if (key === undefined) continue;
    const question = nodeQuestions.find(({ path }) => path.at(-1) === key);
    if (question) setValue(node, question.path, question.parse(unquote(value)));
    else unknown.push(key);
  }
  if (node["place"] === "City, Country") {
    delete node["place"];
    if (node["lat"] === 0) delete node["lat"];
    if (node["lon"] === 0) delete node["lon"];
  }
  return { node, unknown };
}

function unquote(value: string): string {
  return /^"(.*)"$/.exec(value)?.[1] ?? value;
}
