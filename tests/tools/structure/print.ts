/** `npm run structure`: prints how many files there are, how long they are, and which import each other in a circle. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "../../support/repository.ts";
import { longestFirst, type Measured, measureStructure } from "./measure.ts";
import { filesBelow, isSource } from "./source-files.ts";

const { productFiles, testFiles, folders, cycles } = await measureStructure();
// What tests read: recordings and the like.
const fixtures = longestFirst(await filesBelow(["tests/fixtures"], (name) => !isSource(name)));

const longest = (files: readonly Measured[]) =>
  files.slice(0, 10).map(({ name, lines }) => `${String(lines).padStart(5)}  ${name}`);
const sumOf = (files: readonly Measured[]) => files.reduce((sum, { lines }) => sum + lines, 0);
const summary = (what: string, files: readonly Measured[]) =>
  `${what}: ${files.length} files, ${sumOf(files)} lines, median ${medianLines(files)}`;

const short = productFiles.filter(({ lines }) => lines < 20).length;
process.stdout.write(
  `${[
    summary("product", productFiles),
    ...programs(),
    `  below 20 lines: ${short}`,
    "longest product files",
    ...longest(productFiles),
    summary("tests", testFiles),
    "longest test files",
    ...longest(testFiles),
    summary("fixtures", fixtures),
    `documents: ${await countDocumentWords()} words, the change log left out`,
    "fullest folders",
    ...folders.slice(0, 10).map(({ name, files }) => `${String(files).padStart(5)}  ${name}`),
    `circular imports: ${cycles.length}`,
    ...cycles.map((cycle) => `  ${cycle.join(", ")}`),
  ].join("\n")}\n`,
);

/** A line for each folder directly below src. */
function programs(): readonly string[] {
  const names = new Set(productFiles.map(({ name }) => name.split("/").slice(0, 2).join("/")));
  return Array.from(names)
    .filter((name) => !/\.tsx?$/.test(name))
    .toSorted()
    .map((name) => {
      const files = productFiles.filter((file) => file.name.startsWith(`${name}/`));
      return `  ${summary(name, files)}`;
    });
}

/** The middle value; 0 if there is none. */
function medianLines(files: readonly Measured[]): number {
  return files.map(({ lines }) => lines).toSorted((a, b) => a - b)[Math.floor(files.length / 2)] ?? 0;
}

/** The words of the documents, those of the decisions among them, without the change log. */
async function countDocumentWords(): Promise<number> {
  const below = await filesBelow(["docs"], (name) => name.endsWith(".md"));
  const top = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
  const texts = await Promise.all(top.map((name) => readFile(path.join(repository, name), "utf8")));
  const all = [...texts, ...below.map(({ text }) => text)];
  return all.reduce((sum, text) => sum + text.split(/\s+/).filter(Boolean).length, 0);
}
