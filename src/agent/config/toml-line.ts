/**
 * The line, counted from 1, where a key stands in a TOML text; its table's line where the key itself is
 * missing, null where neither is found. Reads `[table]` headers and `key = …` lines, which is how people
 * write these files; an inline table counts as one line.
 *
 * @param path table names, then the key
 */
export function lineOf(toml: string, path: readonly string[]): number | null {
  const target = path.join(".");
  let table = "";
  let nearest: number | null = null;
  for (const [index, line] of toml.split("\n").entries()) {
    const header = /^\s*\[([^[\]]+)\]/.exec(line)?.[1];
    const key = /^\s*([A-Za-z0-9_.-]+)\s*=/.exec(line)?.[1];
    if (header !== undefined) table = `${header.trim()}.`;
    const here = header === undefined ? `${table}${key}` : header.trim();
    if (here === target) return index + 1;
    if (target.startsWith(`${here}.`)) nearest = index + 1;
  }
  return nearest;
}
