/** Parses BIRD's listing of routes into entries that can be searched. */
import { truncatedMark } from "#contract/diagnostics.ts";
import { createWordMatcher } from "../match-words.ts";
import { plural } from "#domain/text/plural.ts";

export interface ListedRoute {
  /** `address/length` */
  readonly prefix: string;
  /** BIRD's table: "master4". */
  readonly table: string;
  /** Whether the node's import filters refused the route. */
  readonly filtered: boolean;
  /** The line with the prefix, and the lines of its attributes, as BIRD prints them. */
  readonly lines: readonly string[];
}

export interface RouteListing {
  readonly routes: readonly ListedRoute[];
  /** Whether the node truncated a long listing. */
  readonly cut: boolean;
  /** Whether some lines are not as BIRD prints them: another router's format, or an error message. */
  readonly hasOtherLines: boolean;
}

/** The heading of the filtered routes, which the node lists last. */
const filteredHeading = "Filtered:";
const tableHeading = /^Table (\S+):$/;
/** The line that BIRD's client prints first. */
const banner = /^BIRD \S+ ready\.$/;
/** The prefix, the kind of the route if it has one, and in brackets the session with the time. */
const firstLine = /^([0-9a-fA-F.:]+\/[0-9]+)\s+(?:[a-z]+ )?\[/;
/** Another route of the prefix above: BIRD leaves the prefix column blank. */
const samePrefixLine = /^ {2,}(?:[a-z]+ )?\[/;

/** Parses the output of `birdc show route`, with or without `all`. */
export function parseRouteListing(text: string): RouteListing {
  const routes: Array<ListedRoute & { readonly lines: string[] }> = [];
  let table = "";
  let filtered = false;
  let cut = false;
  let hasOtherLines = false;
  for (const line of text.split("\n")) {
    const heading = tableHeading.exec(line)?.[1];
    const prefix = firstLine.exec(line)?.[1];
    const last = routes.at(-1);
    if (heading !== undefined) table = heading;
    else if (line === filteredHeading) filtered = true;
    else if (line.startsWith(truncatedMark)) cut = true;
    else if (prefix !== undefined) routes.push({ prefix, table, filtered, lines: [line] });
    else if (last && samePrefixLine.test(line)) {
      routes.push({ prefix: last.prefix, table, filtered, lines: [withPrefix(line, last.prefix)] });
    } else if (last && line.startsWith("\t")) last.lines.push(line);
    else if (line.trim() !== "" && !banner.test(line)) hasOtherLines = true;
  }
  return { routes, cut, hasOtherLines };
}

/** Fills in the prefix, because the list may show the route without the one above it. */
function withPrefix(line: string, prefix: string): string {
  const blank = line.length - line.trimStart().length;
  return `${prefix.padEnd(blank - 1)} ${line.trimStart()}`;
}

/** Routes whose lines contain every word of the search, in any order and case. */
export function routesMatching(routes: readonly ListedRoute[], search: string): readonly ListedRoute[] {
  const matches = createWordMatcher(search);
  return routes.filter(({ lines }) => matches(lines.join("\n")));
}

/** @param kind which routes, with a space after it: "IPv4 " */
export function formatRouteCount(count: number, kind = ""): string {
  return `${count} ${kind}${plural(count, "route")}`;
}
