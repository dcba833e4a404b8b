/**
 * Part of `npm run check`: refuses banned words and placeholders in sources, texts, documents and file names, and long lines
 * in documents.
 */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "../../support/repository.ts";
import { findBannedWords } from "./banned-words.ts";
import { findLongLines } from "./long-lines.ts";
import { findPlaceholders } from "./placeholders.ts";

/** Files with external content, and the lists themselves. */
const exempt: readonly RegExp[] = [
  // Recorded or real data: registry objects, passwords.
  /^src\/demo\/registry\//,
  /^src\/server\/features\/accounts\/common-passwords\.txt$/,
  /^package-lock\.json$/,
  /^tests\/tools\/words\//,
];

/** Names that the project cannot change. They are removed from a text before the check. */
const fixedNames: readonly string[] = [
  // Debian's user without privileges.
  '"nobody"',
];

const names = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: repository,
  encoding: "utf8",
})
  .split("\n")
  .filter((name) => /\.(ts|tsx|md|html|css|toml|conf|json|webmanifest|service)$/.test(name))
  .filter((name) => !exempt.some((pattern) => pattern.test(name)));

const findings: string[] = [];
for (const name of names) {
  for (const { word } of findBannedWords(name)) findings.push(`${name}: the file's name has "${word}"`);
  const text = await readFile(path.join(repository, name), "utf8").catch(() => "");
  const checkedText = fixedNames.reduce((rest, fixed) => rest.replaceAll(fixed, ""), text);
  const found = [
    ...findBannedWords(checkedText),
    ...findPlaceholders(name, text),
    ...findLongLines(name, text),
  ];
  for (const { line, word } of found) findings.push(`${name}:${line}: ${word}`);
}
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.stdout.write(
  findings.length === 0
    ? `No banned word, placeholder or long line in ${names.length} files.\n`
    : `${findings.length} banned words, placeholders or long lines. tests/tools/words has the rules.\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
