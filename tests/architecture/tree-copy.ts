import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { commandScript, repository } from "../support/repository.ts";

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** A temporary copy of the sources and their checks, in which tests plant violations. */
export interface TreeCopy extends AsyncDisposable {
  /** Writes files by path, relative to the top folder. */
  readonly plant: (files: Readonly<Record<string, string>>) => Promise<void>;
  readonly types: () => Promise<Outcome>;
  readonly lint: () => Promise<Outcome>;
}

const copied = [
  "package.json",
  "tsconfig.json",
  "tests/tsconfig.json",
  ".oxlintrc.json",
  "tests/tools/structure/package-imports.cjs",
  "src",
];

export async function copyTree(): Promise<TreeCopy> {
  const [tsc, oxlint] = await Promise.all([commandScript("typescript", "tsc"), commandScript("oxlint")]);
  const root = await mkdtemp(path.join(tmpdir(), "peerdeck-tree-"));
  await Promise.all(
    copied.map((name) => cp(path.join(repository, name), path.join(root, name), { recursive: true })),
  );
  await symlink(path.join(repository, "node_modules"), path.join(root, "node_modules"));
  return {
    plant: async (files) => {
      for (const [name, text] of Object.entries(files)) {
        const file = path.join(root, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, text);
      }
    },
    types: () => run(root, [tsc, "-b", "--pretty", "false"]),
    lint: () => run(root, [oxlint, "--deny-warnings", "--format=unix", "src"]),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

function run(cwd: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}
