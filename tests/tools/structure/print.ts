/** `npm run structure`: prints how many files there are, how long they are, and which import each other in a circle. */
import { type Measured, measureStructure, medianLines } from "./measure.ts";

const { productFiles, testFiles, fixtures, documentWords, folders, cycles } = await measureStructure();

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
    `documents: ${documentWords} words, the change log left out`,
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
