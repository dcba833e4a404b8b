import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** Every file below a folder, with its mode and content. */
export async function readTree(path: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const mode = ((await stat(file)).mode & 0o777).toString(8);
      return [file.slice(path.length + 1), `${mode} ${entry.isFile() ? await readFile(file, "base64") : ""}`];
    }),
  );
  return Object.fromEntries(files);
}
