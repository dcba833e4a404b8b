/** Where in a document a value stands: keys of tables and positions in lists, outermost first. */
export type TomlPath = ReadonlyArray<string | number>;

const header = /^\s*(\[\[?)\s*([^\]]+?)\s*\]/;
const assignment =
  /^\s*([A-Za-z0-9_-]+|"[^"]*"|'[^']*')((?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=/;
const multiline = /"""|'''/g;

/**
 * Finds the line of a path in a valid TOML document; of the nearest table around it when the path itself
 * has no line, as for a missing key or one within an inline table. Lines count from 1.
 */
export function tomlLines(text: string): (path: TomlPath) => number {
  const lines = new Map<string, number>();
  const lengths = new Map<string, number>();
  let table: TomlPath = [];
  let within: string | null = null;

  for (const [index, line] of text.split("\n").entries()) {
    if (within === null) {
      const opened = header.exec(line);
      const assigned = assignment.exec(line);
      if (opened) {
        table = tablePath(keysOf(opened[2] ?? ""), opened[1] === "[[", lengths);
        if (!lines.has(keyOf(table))) lines.set(keyOf(table), index + 1);
      } else if (assigned) {
        lines.set(keyOf([...table, ...keysOf(`${assigned[1]}${assigned[2]}`)]), index + 1);
      }
    }
    for (const [quotes] of line.matchAll(multiline)) {
      if (within === null) within = quotes;
      else if (within === quotes) within = null;
    }
  }

  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const line = lines.get(keyOf(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  };
}

/** A header's names with the position of the newest item behind each that is a list of tables. */
function tablePath(names: readonly string[], isItem: boolean, lengths: Map<string, number>): TomlPath {
  const path: Array<string | number> = [];
  for (const [index, name] of names.entries()) {
    path.push(name);
    const list = keyOf(path);
    if (isItem && index === names.length - 1) lengths.set(list, (lengths.get(list) ?? 0) + 1);
    const length = lengths.get(list);
    if (length !== undefined) path.push(length - 1);
  }
  return path;
}

function keysOf(dotted: string): readonly string[] {
  return (dotted.match(/"[^"]*"|'[^']*'|[A-Za-z0-9_-]+/g) ?? []).map((key) =>
    key.replace(/^["']|["']$/g, ""),
  );
}

function keyOf(path: TomlPath): string {
  return JSON.stringify(path);
}
