/** docs/asvs.md is complete, agrees with itself, and names only files and tests that exist. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { repository } from "../support/repository.ts";

const folder = path.join(repository, "docs");
const text = readFileSync(path.join(folder, "asvs.md"), "utf8");

/** The numbers of the standard with their level, as `6.2.1 L1`. */
const required = readFileSync(new URL("asvs-requirements.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .flatMap((line) => {
    const [section = "", level = "", ...numbers] = line.split(/:? /);
    return numbers.map((number) => `${section}.${number} ${level}`);
  });

const statuses = ["tested", "by design", "partly", "open", "not applicable"];

interface Row {
  readonly number: string;
  readonly level: string;
  readonly status: string;
  readonly evidence: string;
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const [summary = "", ...chapters] = text.split(/^## Chapter /m);
const rows: readonly Row[] = chapters.flatMap((chapter) =>
  chapter
    .split("\n")
    .filter((line) => /^\| *\d/.test(line))
    .map((line) => {
      const [number = "", level = "", , status = "", evidence = ""] = cellsOf(line);
      return { number, level, status, evidence };
    }),
);

function linksOf(markdown: string): readonly string[] {
  return Array.from(markdown.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, target = ""]) => target).filter(
    (target) => !target.startsWith("https:"),
  );
}

test("every requirement of levels 1 and 2 has one row, with its level", () => {
  expect(required).toHaveLength(253);
  const listed = rows.map(({ number, level }) => `${number} L${level}`);
  expect(listed.toSorted()).toEqual(required.toSorted());
});

test("every row has one of the statuses, and a reason or a file", () => {
  const incomplete = rows.filter(
    ({ status, evidence }) =>
      !statuses.includes(status) ||
      evidence === "" ||
      (status === "by design" && linksOf(evidence).length === 0),
  );
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

test("every quoted name is in a file that its row links", () => {
  const missing = rows.flatMap(({ number, evidence }) => {
    const files = linksOf(evidence).map((target) => readFileSync(path.join(folder, target), "utf8"));
    const quoted = Array.from(evidence.matchAll(/"([^"]+)"/g), ([, name = ""]) => name);
    return quoted
      .filter((name) => !files.some((file) => file.includes(name)))
      .map((name) => `${number}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test("the counts at the top are those of the rows", () => {
  const counted = statuses.map((status) => {
    const levels = rows.filter((row) => row.status === status).map(({ level }) => level);
    const atLevel = (level: string) => levels.filter((one) => one === level).length;
    return [status, atLevel("1"), atLevel("2"), levels.length].map(String);
  });
  const stated = summary
    .split("\n")
    .map(cellsOf)
    .filter(([status = "", ...counts]) => statuses.includes(status) && counts.length === 3);
  expect(stated).toEqual(counted);
});

test("the list of gaps has the rows that are open or partly met", () => {
  const gaps = rows.filter(({ status }) => status === "open" || status === "partly");
  const listed = summary.split("\n").filter((line) => /^\| *\d/.test(line));
  const cells = listed.map((line) => cellsOf(line));
  expect(cells.map(([number, status]) => `${number} ${status}`).toSorted()).toEqual(
    gaps.map(({ number, status }) => `${number} ${status}`).toSorted(),
  );
  expect(cells.filter(([, , , closedBy = ""]) => closedBy === "")).toEqual([]);
});
