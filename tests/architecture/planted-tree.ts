import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { commandScript, repository } from "../support/repository.ts";

/** What a check printed. */
export type Check = (root: string) => Promise<string>;

const copied = [
  "package.json",
  "tsconfig.json",
  ".oxlintrc.json",
  "tests/tools/structure/package-imports.cjs",
];

/**
 * Checks a temporary tree with the settings of this one. It has no other sources than `files`: the steps "types" and "lint" check
 * the real ones.
 */
export async function checkTree(check: Check, files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "peerdeck-tree-"));
  try {
    const { references } = JSON.parse(await readFile(path.join(repository, "tsconfig.json"), "utf8")) as {
      readonly references: ReadonlyArray<{ readonly path: string }>;
    };
    const projects = references.map((project) => `${project.path}/tsconfig.json`);
    await Promise.all(
      [...copied, ...projects].map((name) => cp(path.join(repository, name), path.join(root, name))),
    );
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(root, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    await symlink(path.join(repository, "node_modules"), path.join(root, "node_modules"));
    return await check(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** One project after the other: on a busy machine TypeScript 7 reads a declaration file that another builder has not written. */
export const checkTypes: Check = async (root) =>
  run(root, [await commandScript("typescript", "tsc"), "-b", "--builders", "1", "--pretty", "false"]);

export const lint: Check = async (root) =>
  run(root, [await commandScript("oxlint"), "--deny-warnings", "--format=unix", "src"]);

function run(cwd: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve(stdout + stderr);
    });
  });
}
