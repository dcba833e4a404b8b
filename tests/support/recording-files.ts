/**
 * The files in tests/fixtures/router-outputs: a folder per version of BIRD, a recording per case. The oldest version of
 * BIRD 2, and of BIRD 3, has whole texts (`closing.txt`). The others have what differs from it, as a unified diff without
 * headers and context (`closing.diff`), which is empty if nothing differs. Texts have one octet a character (latin1).
 */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Texts by the version, such as `2.0.12`, and the name of the case. */
export type Recordings = Map<string, Map<string, string>>;

/** Reads the recordings of all versions as they were recorded. */
export async function readRecordings(folder: string): Promise<Recordings> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(?:txt|diff)$/.test(file));
  const stored = await Promise.all(
    // Sorted, so that a version's base comes before it.
    files.toSorted(inOrder).map(async (file) => ({
      file,
      version: path.dirname(file).replace(/^bird[0-9]+-/, ""),
      text: await readFile(path.join(folder, file), "latin1"),
    })),
  );
  const recordings: Recordings = new Map();
  for (const { file, version, text } of stored) {
    const { name, ext } = path.parse(file);
    if (!recordings.has(version)) recordings.set(version, new Map());
    const base = recordings.get(baseOf(recordings, version))?.get(name) ?? "";
    const whole = ext === ".txt" ? text : applyDiff(base, text);
    recordings.get(version)?.set(name, whole);
  }
  return recordings;
}

/** Replaces the recordings of all versions. */
export async function writeRecordings(folder: string, recordings: Recordings): Promise<void> {
  const old = (await readdir(folder)).filter((name) => name.startsWith("bird"));
  for (const name of old) await rm(path.join(folder, name), { recursive: true });
  // In order, so that a version's base is written before it.
  for (const [version, texts] of [...recordings].toSorted(([a], [b]) => inOrder(a, b))) {
    await mkdir(path.join(folder, folderOf(version)));
    const base = baseOf(recordings, version);
    for (const [name, text] of texts) {
      const file = path.join(folder, folderOf(version), name);
      const baseText = base === version ? undefined : recordings.get(base)?.get(name);
      if (baseText === undefined) await writeFile(`${file}.txt`, text, "latin1");
      else
        await writeFile(
          `${file}.diff`,
          findDiff(path.join(folder, folderOf(base), `${name}.txt`), baseText, text),
          "latin1",
        );
    }
  }
}

function folderOf(version: string): string {
  return `bird${version.split(".")[0]}-${version}`;
}

function inOrder(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

/** Returns the oldest version with the same first number. */
function baseOf(recordings: Recordings, version: string): string {
  const [major = ""] = version.split(".");
  const [base = version] = [...recordings.keys()]
    .filter((each) => each.startsWith(`${major}.`))
    .toSorted(inOrder);
  return base;
}

/** Returns `base` with the changes of a diff. Throws if the diff is one of another text. */
function applyDiff(base: string, diff: string): string {
  const lines = base.split("\n");
  const result: string[] = [];
  let next = 0;
  for (const line of diff.split("\n")) {
    const [, start, count] = /^@@ -([0-9]+)(?:,([0-9]+))? /.exec(line) ?? [];
    if (start !== undefined) {
      // Where nothing is removed, the start is the line before the insertion.
      const end = Number(start) - (count === "0" ? 0 : 1);
      result.push(...lines.slice(next, end));
      next = end;
    } else if (line.startsWith("+")) {
      result.push(line.slice(1));
    } else if (line.startsWith("-")) {
      if (lines[next] !== line.slice(1)) throw new Error(`the recording has no line ${next + 1}: ${line}`);
      next += 1;
    }
  }
  return [...result, ...lines.slice(next)].join("\n");
}

/** Returns the hunks that make `text` of the text in a file. Both end with a line break. */
function findDiff(file: string, base: string, text: string): string {
  if (base === text) return "";
  const args = [
    "diff",
    "--no-index",
    "--text",
    "--unified=0",
    "--no-color",
    "--no-ext-diff",
    "--",
    file,
    "-",
  ];
  const input = Buffer.from(text, "latin1");
  const { stdout, stderr } = spawnSync("git", args, { input, encoding: "latin1" });
  const hunks = stdout.slice(stdout.indexOf("\n@@") + 1).replaceAll(/^(@@ .* @@).*$/gm, "$1");
  if (applyDiff(base, hunks) !== text) throw new Error(`git made no diff of ${file}: ${stderr}`);
  return hunks;
}
