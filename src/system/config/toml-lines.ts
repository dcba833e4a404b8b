/** The position of a value in a document: keys of tables and indexes of lists, outermost first. */
export type TomlPath = ReadonlyArray<string | number>;

const header = /^\s*(\[\[?)([^\]]+)\]/;
const assignment =
  /^\s*([A-Za-z0-9_-]+|"[^"]*"|'[^']*')((?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=/;
const multiline = /"""|'''/g;

/**
 * Returns a function that finds the line of a path in a valid TOML document, or the line of the nearest enclosing table
 * if the path has no line of its own, such as a missing key or a key in an inline table. Lines count from 1.
 */
export function createLineFinder(text: string): (path: TomlPath) => number {
  const lines = new Map<string, number>();
  const lengths = new Map<string, number>();
  let table: TomlPath = [];
  let openQuotes: string | null = null;

  for (const [index, line] of text.split("\n").entries()) {
    if (openQuotes === null) {
      const opened = header.exec(line);
      const assigned = assignment.exec(line);
      if (opened) {
        table = parseTablePath(parseKeys(opened[2] ?? ""), opened[1] === "[[", lengths);
        if (!lines.has(toMapKey(table))) lines.set(toMapKey(table), index + 1);
      } else if (assigned) {
        lines.set(toMapKey([...table, ...parseKeys(`${assigned[1]}${assigned[2]}`)]), index + 1);
      }
    }
    for (const [quotes] of line.matchAll(multiline)) {
      if (openQuotes === null) openQuotes = quotes;
      else if (openQuotes === quotes) openQuotes = null;
    }
  }

  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const line = lines.get(toMapKey(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  };
}

/** Returns a header's names; the index of the newest item follows each list of tables. */
function parseTablePath(names: readonly string[], isItem: boolean, lengths: Map<string, number>): TomlPath {
  const path: Array<string | number> = [];
  for (const [index, name] of names.entries()) {
    path.push(name);
    const list = toMapKey(path);
    if (isItem && index === names.length - 1) lengths.set(list, (lengths.get(list) ?? 0) + 1);
    const length = lengths.get(list);
    if (length !== undefined) path.push(length - 1);
  }
  return path;
}

function parseKeys(dotted: string): readonly string[] {
  return (dotted.match(/"[^"]*"|'[^']*'|[A-Za-z0-9_-]+/g) ?? []).map((key) =>
    key.replace(/^["']|["']$/g, ""),
  );
}

function toMapKey(path: TomlPath): string {
  return JSON.stringify(path);
}
