/** docs/asvs.md is complete, agrees with itself, and names only files and tests that exist. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";

const folder = path.join(repository, "docs");
const text = readFileSync(path.join(folder, "asvs.md"), "utf8");

interface Requirement {
  readonly number: string;
  readonly level: string;
}

/** In the order of the standard. */
const required: readonly Requirement[] = readFileSync(
  new URL("asvs-requirements.txt", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .flatMap((line) => {
    const [section = "", level = "", ...numbers] = line.split(/:? /);
    return numbers.map((number) => ({ number: `${section}.${number}`, level: level.replace("L", "") }));
  })
  .toSorted(byNumber);

function byNumber(a: Requirement, b: Requirement): number {
  return a.number.localeCompare(b.number, "en", { numeric: true });
}

const statuses = ["tested", "by design", "partly", "open", "not applicable"];
const gapStatuses = new Set(["partly", "open"]);

interface Row extends Requirement {
  readonly status: string;
  /** The cells after the requirement's summary. */
  readonly evidence: string;
}

/** The cells of each row that starts with a number, in the table below the status's heading. */
function cellsBelow(status: string): readonly (readonly string[])[] {
  const sections = text.split(/^## /m).filter((section) => section.toLowerCase().startsWith(`${status}\n`));
  return sections.flatMap((section) =>
    section
      .split("\n")
      .filter((line) => /^\| *\d/.test(line))
      .map(cellsOf),
  );
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** `10.1.1 to 10.7.3, 17.1.1` lists every requirement from 10.1.1 to 10.7.3 and 17.1.1. */
function requirementsIn(numbers: string): readonly Requirement[] {
  return numbers.split(", ").flatMap((part) => {
    const [first = "", last = first] = part.split(" to ");
    const indexOf = (number: string) => required.findIndex((requirement) => requirement.number === number);
    const [from, to] = [indexOf(first), indexOf(last)];
    return from === -1 || to < from ? [{ number: part, level: "unknown" }] : required.slice(from, to + 1);
  });
}

const rows = statuses.flatMap((status) =>
  cellsBelow(status).flatMap(([numbers = "", ...cells]): readonly Row[] =>
    requirementsIn(numbers).map(({ number, level }) => ({
      number,
      level,
      status,
      evidence: cells.slice(status === "not applicable" ? 0 : 1).join(" "),
    })),
  ),
);

function linksOf(markdown: string): readonly string[] {
  return Array.from(markdown.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, target = ""]) => target).filter(
    (target) => !target.startsWith("https:"),
  );
}

function hasSentence(markdown: string): boolean {
  return /[\w`]\.( |$)/.test(markdown.replaceAll(/\[[^\]]+\]\([^)]+\)/g, ""));
}

test("every requirement of levels 1 and 2 has one row", () => {
  expect(required).toHaveLength(253);
  const listed = rows.map(({ number, level }) => ({ number, level })).toSorted(byNumber);
  expect(listed).toEqual(required);
});

test("every row has a reason or a file", () => {
  const incomplete = rows.filter(({ status, evidence }) => {
    if (gapStatuses.has(status)) return !hasSentence(evidence);
    return status === "not applicable" ? evidence === "" : linksOf(evidence).length === 0;
  });
  expect(incomplete).toEqual([]);
});

test("every row that is tested names a test", () => {
  const untested = rows.filter(
    ({ status, evidence }) =>
      status === "tested" && !linksOf(evidence).some((target) => /\.test\.tsx?$/.test(target)),
  );
  expect(untested).toEqual([]);
});

test("every file that the document links exists", () => {
  const broken = linksOf(text).filter((target) => !existsSync(path.join(folder, target)));
  expect(broken).toEqual([]);
});

test("every quoted name is in the file that follows it", () => {
  const quotes = Array.from(text.matchAll(/"([^"]+)"(?:(?=(?:, "[^"]+")* in \[[^\]]+\]\(([^)]+)\))|)/g));
  expect(quotes.length).toBeGreaterThan(50);
  const missing = quotes.filter(
    ([, name = "", target]) =>
      target === undefined || !readFileSync(path.join(folder, target), "utf8").includes(name),
  );
  expect(missing.map(([quote]) => quote)).toEqual([]);
});

test("the counts at the top are those of the rows", () => {
  const counted = statuses.map((status) => {
    const levels = rows.filter((row) => row.status === status).map(({ level }) => level);
    const atLevel = (level: string) => levels.filter((one) => one === level).length;
    return [status, atLevel("1"), atLevel("2"), levels.length].map(String);
  });
  const stated = text
    .split("\n")
    .map(cellsOf)
    .filter(([status = ""]) => statuses.includes(status));
  expect(stated).toEqual(counted);
});
