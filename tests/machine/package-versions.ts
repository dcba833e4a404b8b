/** A later version of a Debian package, with the same files but for what a test changes. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runOk, runProcess } from "../../src/system/processes.ts";

export const newVersion = "9.0.0+20991231.235959";

/** @param change edits the unpacked files; the result is the path of the package */
export async function raiseVersion(
  deb: string,
  target: string,
  change: (tree: string) => Promise<void>,
): Promise<void> {
  const tree = `${target}.tree`;
  await runOk(runProcess, "dpkg-deb", ["--raw-extract", deb, tree]);
  await editFile(join(tree, "DEBIAN/control"), (text) =>
    text.replace(/^Version: .*$/m, `Version: ${newVersion}`),
  );
  await change(tree);
  await runOk(runProcess, "dpkg-deb", ["--root-owner-group", "-Znone", "--build", tree, target], {
    timeoutMs: 60_000,
  });
  await rm(tree, { recursive: true });
}

/** Changes the text of a file, which must change by it. */
export async function editFile(path: string, edit: (text: string) => string): Promise<void> {
  const text = await readFile(path, "utf8");
  const edited = edit(text);
  if (edited === text) throw new Error(`${path} is unchanged`);
  await writeFile(path, edited);
}
