/** BIRD's listing of routes, read into entries that can be searched. */

export interface ListedRoute {
  /** `address/length` */
  readonly prefix: string;
  /** BIRD's table: "master4". */
  readonly table: string;
  /** Whether the node's filters refused it. */
  readonly filtered: boolean;
  /** The first line with its prefix, and the lines of its attributes, as BIRD printed them. */
  readonly lines: readonly string[];
}

export interface RouteListing {
  readonly routes: readonly ListedRoute[];
  /** Whether the node left out the end of a listing that is too long. */
  readonly cut: boolean;
}

/** Before the refused routes, which the node lists after the others. */
const filteredHeading = "Filtered:";
const tableHeading = /^Table (\S+):$/;
const firstLine = /^([0-9a-fA-F.:]+\/[0-9]+)\s+\S/;
/** Another route of the prefix above: its column is left blank. */
const againLine = /^ {2,}\S/;

/** Reads what `birdc show route` prints, with or without `all`. Lines that belong to no route are left out. */
export function parseRouteListing(text: string): RouteListing {
  const routes: Array<ListedRoute & { readonly lines: string[] }> = [];
  let table = "";
  let filtered = false;
  let cut = false;
  for (const line of text.split("\n")) {
    const heading = tableHeading.exec(line)?.[1];
    const prefix = firstLine.exec(line)?.[1];
    const last = routes.at(-1);
    if (heading !== undefined) table = heading;
    else if (line === filteredHeading) filtered = true;
    else if (line.startsWith("(cut here")) cut = true;
    else if (prefix !== undefined) routes.push({ prefix, table, filtered, lines: [line] });
    else if (!last) continue;
    else if (againLine.test(line)) {
      routes.push({ prefix: last.prefix, table, filtered, lines: [withPrefix(line, last.prefix)] });
    } else if (line.startsWith("\t")) last.lines.push(line);
  }
  return { routes, cut };
}

/** A route that is shown without the one above it must say itself what it leads to. */
function withPrefix(line: string, prefix: string): string {
  const blank = line.length - line.trimStart().length;
  return `${prefix.padEnd(blank - 1)} ${line.trimStart()}`;
}

/** Routes that hold every word of a search, wherever in their lines it stands; capitals do not matter. */
export function routesMatching(routes: readonly ListedRoute[], search: string): readonly ListedRoute[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return routes;
  return routes.filter((route) => {
    const text = route.lines.join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
